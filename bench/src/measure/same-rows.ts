import { deepStrictEqual } from 'node:assert/strict'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { numberOf } from '../workload/kinds.js'

/** Each attempt and each server has its own of these. */
const ownColumns = ['platform_account_number', 'created_at', 'identity_time']

/** JSON columns may hold their fields in any order. */
const comparable = (row: RowDataPacket): unknown =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !ownColumns.includes(name))
      .map(([name, value]: [string, unknown]) =>
        typeof value === 'string' && /^[[{]/.test(value) ? [name, JSON.parse(value)] : [name, value],
      ),
  )

const accountTables =
  'SELECT table_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() ' +
  "AND column_name = 'platform_account_number' AND table_name NOT IN ('account_imports', 'floor_imports') ORDER BY table_name"

const rowsOf = async (url: string, index: number): Promise<Readonly<Record<string, readonly unknown[]>>> => {
  const connection = await createConnection({ uri: url, dateStrings: true })
  try {
    const tables: Record<string, readonly unknown[]> = {}
    const [named] = await connection.query<RowDataPacket[]>(accountTables)
    for (const { name } of named as { name: string }[]) {
      const [rows] = await connection.query<RowDataPacket[]>(
        `SELECT t.* FROM ${name} t JOIN accounts a ON a.platform_account_number = t.platform_account_number ` +
          'WHERE a.external_account_number = ?',
        [numberOf(index)],
      )
      tables[name] = rows.map(comparable)
    }
    return tables
  } finally {
    await connection.end()
  }
}

/**
 * Makes sure that both systems wrote the same rows for an account that both created: a floor that does less than the
 * work would be no floor. Throws an `AssertionError` that shows the difference.
 */
export const assertSameRows = async (oursUrl: string, floorUrl: string, index: number): Promise<void> => {
  const [ours, floor] = [await rowsOf(oursUrl, index), await rowsOf(floorUrl, index)]
  if ((ours['accounts'] ?? []).length !== 1) throw new Error(`Account ${index} was not created`)
  deepStrictEqual(floor, ours)
}
