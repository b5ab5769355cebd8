import type { Look } from './look.js'

export const primaryKey = 'PRIMARY'
export const accountsByImport = 'accounts_by_import'

/** Names an index of the whole database. */
export const indexId = (table: string, index: string): string => `${table} ${index}`

export const isLacking = ({ lacking }: Pick<Look, 'lacking'>, table: string, index: string): boolean =>
  lacking.has(indexId(table, index))

/** The table as `t`, read in the order of the index where it has it: left alone, a database may sort all rows for each page. */
export const inOrderOf = (look: Look, table: string, index: string): string =>
  isLacking(look, table, index) ? `${table} AS t` : look.dialect.inOrderOf(`${table} AS t`, index)
