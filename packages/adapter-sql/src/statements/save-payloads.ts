import type { AccountKey } from '@account-import/core'
import { perDialect } from '../dialects/per-dialect.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { keyColumns } from './import-keys.js'

/** The staged data of one import, in the version that its row says. */
export type StagedPayload = Readonly<{ key: AccountKey; version: number; payload: string }>

const columns = [...keyColumns, 'version', 'payload'].join(', ')

const end = perDialect((dialect) =>
  dialect.orUpdate(keyColumns, (incoming) => [
    ['version', incoming('version')],
    ['payload', incoming('payload')],
  ]),
)

/** Stores the payloads, in place of those that were there. */
export const savePayloads = async (
  db: Statements,
  dialect: SqlDialect,
  payloads: readonly StagedPayload[],
): Promise<void> => {
  if (payloads.length === 0) return
  const values = payloads.map(() => '(?, ?, ?, ?, ?)').join(', ')
  const bindings = payloads.flatMap(({ key, version, payload }) => [
    key.organisation,
    key.importSupplier,
    key.externalAccountNumber,
    version,
    payload,
  ])
  await db.raw(`INSERT INTO ${tables.stagedAccounts} (${columns}) VALUES ${values} ${end(dialect)}`, bindings)
}
