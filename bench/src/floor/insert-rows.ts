import type { ResultSetHeader } from 'mysql2'
import type { Execute } from './database.js'
import type { TableRows } from './table-rows.js'

const texts = new Map<string, string>()

const textFor = ({ table, columns, rows }: TableRows): string => {
  const name = `${table}/${rows.length}`
  const known = texts.get(name)
  if (known !== undefined) return known
  const row = `(${columns.map(() => '?').join(', ')})`
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => row).join(', ')}`
  texts.set(name, text)
  return text
}

/** Inserts all rows of a table by one prepared statement. */
export const insertRows = async (execute: Execute, table: TableRows): Promise<void> => {
  if (table.rows.length > 0) await execute<ResultSetHeader>(textFor(table), table.rows.flat())
}
