import type { ComparedData } from '@account-import/core'
import { areOfOneSupplier, inBatches, isSameJson, nextOfGroup } from '@account-import/core/adapter-kit'
import { sha256 } from '../sql/crypto.js'
import { isAway } from '../sql/failures.js'
import { tables } from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'
import { caseOf, filledUp, importKeyValues, maxStatementBytes, placeholders } from '../sql/sql.js'
import { type AccountImportRow, payloadOf } from './import-rows.js'

type CreatedRow = Pick<AccountImportRow, 'external_account_number' | 'payload_hash'> &
  Readonly<{ payload: string | null; data_key: string | null }>

/** The payload is read only where it is another text than the one that it is compared with. */
const textFor = (count: number): string =>
  'SELECT external_account_number, payload_hash, data_key, ' +
  `CASE WHEN payload_hash <> ${caseOf('external_account_number', count)} THEN payload END AS payload ` +
  `FROM ${tables.accountImports} WHERE organisation = ? AND import_supplier = ? ` +
  `AND external_account_number IN (${placeholders(count)}) AND platform_account_number IS NOT NULL ` +
  'AND (erased_at IS NULL OR erased_at < account_created_at)'

type HashedData = ComparedData & Readonly<{ hash: string | null }>

const hashed = (data: ComparedData): HashedData => ({
  ...data,
  hash: data.payload === undefined ? null : sha256(data.payload),
})

/** Compares accounts of one supplier, by one statement. */
const compareTogether = async (
  db: Db,
  compared: readonly ComparedData[],
): Promise<readonly (boolean | undefined)[]> => {
  const all = compared.map(hashed)
  const list = filledUp(all)
  const numbers = list.map(({ key }) => key.externalAccountNumber)
  const rows = await db.select<CreatedRow>(textFor(list.length), [
    ...list.flatMap(({ key, hash }) => [key.externalAccountNumber, hash]),
    ...importKeyValues((list as readonly [HashedData])[0].key).slice(0, 2),
    ...numbers,
  ])
  const found = new Map(rows.map((row) => [row.external_account_number, row]))
  return Promise.all(
    all.map(async ({ key, payload: sent, hash }) => {
      const row = found.get(key.externalAccountNumber)
      if (row === undefined) return undefined
      // Nothing is staged over an account, so that what is staged is what it was created from.
      if (sent === undefined || row.payload_hash === hash) return true
      const { payload, data_key } = row
      return payload !== null && isSameJson(sent, await payloadOf(db.dataKeys, key, { payload, data_key }))
    }),
  )
}

/** As many payloads are read by one statement as claims read. */
const limits = {
  maxItems: 16,
  maxBytes: maxStatementBytes,
  bytesOf: ({ payload = '' }: ComparedData): number => payload.length,
}

/** Data that is compared at the same time goes to the database together. */
export const comparison = ({ query, dialect, onBatch }: Session) =>
  inBatches((compared: readonly ComparedData[]) => query((db) => compareTogether(db, compared)), {
    parallel: dialect.parallelBatches,
    next: (waiting) => nextOfGroup(waiting, (first, { key }) => areOfOneSupplier(first.key, key), limits),
    isAway,
    onBatch: (size) => onBatch?.({ work: 'read', size }),
  })
