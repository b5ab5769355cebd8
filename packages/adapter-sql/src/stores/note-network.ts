import type { Instant } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { unlessDuplicate } from '../failures/duplicate.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { insertRows } from '../statements/insert-rows.js'
import { selectRows } from '../statements/select-rows.js'

const findText = `SELECT network FROM ${tables.apiKeyNetworks} WHERE api_key_id = ? AND network = ?`

/** Keeps the first use of a key from a network, and says whether it is. The key of the table decides of several at once. */
export const noteNetwork = async (
  db: Statements,
  dialect: SqlDialect,
  apiKeyId: string,
  network: string,
  at: Instant,
): Promise<boolean> => {
  if ((await selectRows(db, findText, [apiKeyId, network])).length > 0) return false
  const row = { api_key_id: apiKeyId, network, first_used_at: toSqlInstant(at) }
  return unlessDuplicate(async () => {
    await insertRows(db, dialect, tables.apiKeyNetworks, [row])
    return true
  }, false)
}
