import type { AccountKey } from '@account-import/core'
import type { SqlDialect } from '../connect/dialect-of.js'
import { tables } from '../tables.js'
import type { Statements } from '../connect/statements.js'
import { orUpdate } from './upsert.js'

/** The staged data of one import, in the version that its row says. */
export type StagedPayload = Readonly<{ key: AccountKey; version: number; payload: string }>

const columns = 'organisation, import_supplier, external_account_number, version, payload'

const end = (dialect: SqlDialect): string =>
  orUpdate(dialect, (incoming) => [
    ['version', incoming('version')],
    ['payload', incoming('payload')],
  ])

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
