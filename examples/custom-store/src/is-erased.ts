import type { Rows } from './view.js'

/** Whether an import is erased; once it is allowed again, it may be staged again, and created. */
export const isErased = (row: Rows['imports'] | undefined): boolean => {
  if (row?.erasedAt === undefined) return false
  return row.created === undefined ? row.skipped : row.erasedAt >= row.created.createdAt
}
