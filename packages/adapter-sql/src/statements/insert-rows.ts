import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { Row, SqlValue } from '../rows/row.js'
import type { Statements } from '../session/statements.js'
import { chunks, maxStatementBytes } from './chunks.js'

/** An upper bound: in UTF-8 a UTF-16 unit takes three bytes at most, a pair of them four, an escaped one two. */
const bytesOf = (row: Row): number => {
  let bytes = 0
  for (const value of Object.values(row)) bytes += typeof value === 'string' ? value.length * 3 : 8
  return bytes
}

/** Inserts the rows in as few statements as their size allows. All rows of a table have the same columns. */
export const insertRows = async (
  db: Statements,
  dialect: SqlDialect,
  table: string,
  rows: readonly Row[],
): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {})
  const limits = { maxItems: dialect.maxInsertedRows, maxBytes: maxStatementBytes, bytesOf }
  for (const piece of chunks(rows, limits)) {
    const values = piece.map((row) => columns.map((column): SqlValue => row[column] ?? null))
    const { sql, bindings } = dialect.insert(table, columns, values)
    await db.raw(sql, bindings)
  }
}
