import type { ResultSetHeader } from 'mysql2'
import type { Execute } from './database.js'
import type { TableRows } from './table-rows.js'

/** Inserts all rows of a table by one statement. */
export const insertRows = async (execute: Execute, { table, columns, rows }: TableRows): Promise<void> => {
  if (rows.length === 0) return
  const values = rows.map((row) => row.map((value) => value ?? null))
  await execute<ResultSetHeader>(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [values])
}
