import type { ResultSetHeader } from 'mysql2'
import { names } from '../workload/names.js'
import type { InTransaction } from './database.js'
import { sqlNow, type Reply } from './reply.js'

const insertImport =
  'INSERT INTO account_imports (organisation, import_supplier, external_account_number, first_staged_at, staged_at, ' +
  "staged_version, state, skipped, holds_slot, attempts) VALUES (?, ?, ?, ?, ?, 1, 'staged', 0, 0, 0) " +
  'ON DUPLICATE KEY UPDATE staged_version = staged_version + 1, staged_at = VALUES(staged_at)'

const insertPayload =
  'INSERT INTO staged_accounts (organisation, import_supplier, external_account_number, version, payload) ' +
  'VALUES (?, ?, ?, 1, ?) ON DUPLICATE KEY UPDATE version = version + 1, payload = VALUES(payload)'

type Key = Readonly<{ import_supplier: string; external_account_number: string }>

/** Stores the body as it came, in the two rows that staging writes, in one durable transaction. */
export const stage = async (inTransaction: InTransaction, body: string): Promise<Reply> => {
  const { import_supplier, external_account_number } = JSON.parse(body) as Key
  const key = [names.organisation, import_supplier, external_account_number]
  const now = sqlNow()
  const inserted = await inTransaction(async (execute) => {
    const result = await execute<ResultSetHeader>(insertImport, [...key, now, now])
    await execute<ResultSetHeader>(insertPayload, [...key, body])
    return result.affectedRows === 1
  })
  return { status: inserted ? 201 : 200, body: { import_supplier, external_account_number } }
}
