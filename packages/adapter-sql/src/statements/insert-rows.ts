import type { Knex } from 'knex'
import type { Row, SqlValue } from '../rows/row.js'
import { chunks, maxStatementBytes } from './chunks.js'

/**
 * Few enough for SQLite's 32766 bindings, and few different statements: what is longer goes in pieces of one size
 * that the server has prepared already.
 */
const maxRows = 64

/** An upper bound: in UTF-8 a UTF-16 unit takes three bytes at most, and a pair of them four. */
const bytesOf = (row: Row): number => {
  let bytes = 0
  for (const value of Object.values(row)) bytes += typeof value === 'string' ? value.length * 3 : 8
  return bytes
}

const texts = new Map<string, string>()

const insertText = (table: string, columns: readonly string[], rows: number): string => {
  const name = `${table}/${rows}`
  const known = texts.get(name)
  if (known !== undefined) return known
  const values = `(${columns.map(() => '?').join(', ')})`
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array<string>(rows).fill(values).join(', ')}`
  texts.set(name, text)
  return text
}

/** Inserts the rows in as few statements as their size allows. All rows of a table have the same columns. */
export const insertRows = async (db: Knex, table: string, rows: readonly Row[]): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {})
  for (const piece of chunks(rows, { maxItems: maxRows, maxBytes: maxStatementBytes, bytesOf })) {
    const bindings = piece.flatMap((row) => columns.map((column): SqlValue => row[column] ?? null))
    await db.raw(insertText(table, columns, piece.length), bindings as Knex.RawBinding[])
  }
}
