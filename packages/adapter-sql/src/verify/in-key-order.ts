import type { Look } from './look.js'

/** The table as `t`, read in the order of its primary key where it has one. */
export const inKeyOrder = ({ dialect, withoutPrimaryKey }: Look, table: string): string =>
  withoutPrimaryKey.has(table) ? `${table} AS t` : dialect.inOrderOf(`${table} AS t`, 'PRIMARY')
