import type { KeyUse } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { unlessDuplicate } from '../failures/duplicate.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { insertRows } from '../statements/insert-rows.js'
import { selectRows } from '../statements/select-rows.js'
import { insertOthers } from './unsealed-others.js'

const findText = `SELECT network FROM ${tables.apiKeyNetworks} WHERE api_key_id = ? AND network = ?`

/** Keeps the network of a first use; false where it is there. The key of the table decides of several at once. */
const noteNetwork = (
  db: Statements,
  dialect: SqlDialect,
  { apiKeyId, network, ifNew }: KeyUse,
): Promise<boolean> =>
  unlessDuplicate(async () => {
    const row = { api_key_id: apiKeyId, network, first_used_at: toSqlInstant(ifNew.at) }
    await insertRows(db, dialect, tables.apiKeyNetworks, [row])
    return true
  }, false)

/** A use from a known network costs a statement, and one for its entry; a first one is kept together with what is said of it. */
export const recordUse = async ({ dialect, query, transaction }: Session, use: KeyUse): Promise<void> => {
  const { apiKeyId, network, entry, ifNew } = use
  const always = entry === undefined ? [] : [entry]
  const known = await query((db) => selectRows(db, findText, [apiKeyId, network]))
  if (known.length > 0) return query((db) => insertOthers(db, dialect, always))
  return transaction(async (db) => {
    const isNew = await noteNetwork(db, dialect, use)
    await insertOthers(db, dialect, isNew ? [...always, ifNew] : always)
  })
}
