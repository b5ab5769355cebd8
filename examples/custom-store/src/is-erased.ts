import type { Rows } from './view.js'

/** Whether an import was erased, and not let in again since: then it may have been staged again, and created. */
export const isErased = (row: Rows['imports'] | undefined): boolean => {
  if (row?.erasedAt === undefined) return false
  return row.created === undefined ? row.skipped : row.erasedAt >= row.created.createdAt
}
