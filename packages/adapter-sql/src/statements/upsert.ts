import type { SqlDialect } from '../connect/dialect-of.js'

const key = 'organisation, import_supplier, external_account_number'

/** Names the value that the insert brought for a column. */
export type Incoming = (column: string) => string

/**
 * The end of an insert that changes the row with the same import key instead, column by column. MySQL assigns from
 * left to right and later expressions see the new values; SQLite's all see the old row.
 */
export const orUpdate = (
  dialect: SqlDialect,
  assignments: (incoming: Incoming) => readonly (readonly [column: string, expression: string])[],
): string => {
  const incoming: Incoming = (column) => (dialect === 'mysql' ? `VALUES(${column})` : `excluded.${column}`)
  const list = assignments(incoming).map(([column, expression]) => `${column} = ${expression}`)
  return dialect === 'mysql'
    ? `ON DUPLICATE KEY UPDATE ${list.join(', ')}`
    : `ON CONFLICT (${key}) DO UPDATE SET ${list.join(', ')}`
}
