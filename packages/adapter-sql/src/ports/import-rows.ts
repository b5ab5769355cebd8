import type { AccountImport, AccountKey, Claim, CreatedAccount } from '@account-import/core'
import type { StoredText } from '../drivers/knex-clients.js'
import { type DataKeys, keptText, readEither } from '../sql/crypto.js'
import {
  failureIn,
  importKeyOf,
  type ImportKeyRow,
  importKeyValues,
  instant,
  keyColumns,
  tables,
  textOf,
} from '../sql/rows.js'
import type { Db } from '../sql/session.js'

/** The columns of a `ReadImportRow`; a payload is read only where it is needed. */
export const importColumns =
  `${keyColumns.join(', ')}, staged_version, staging_id, skipped, claim_token, claim_expires_at, attempts, ` +
  'latest_failure_code, latest_failure_at, platform_account_number, account_created_at, created_version'

/** An import without its payload. */
export type ReadImportRow = ImportKeyRow &
  Readonly<{
    staged_version: number
    /** The id of the staging that wrote the row last, by which a batch recognises the items that it staged. */
    staging_id: string | null
    skipped: 0 | 1
    claim_token: string | null
    claim_expires_at: string | null
    attempts: number
    latest_failure_code: string | null
    latest_failure_at: string | null
    platform_account_number: string | null
    account_created_at: string | null
    created_version: number | null
  }>

const claimOf = (row: ReadImportRow): Claim | undefined =>
  row.claim_token === null || row.claim_expires_at === null
    ? undefined
    : { token: row.claim_token, expiresAt: instant.read(row.claim_expires_at) }

const createdOf = (row: ReadImportRow): CreatedAccount | undefined =>
  row.platform_account_number === null || row.account_created_at === null || row.created_version === null
    ? undefined
    : {
        platformAccountNumber: row.platform_account_number,
        createdAt: instant.read(row.account_created_at),
        stagedVersion: row.created_version,
      }

export const accountImportOf = (row: ReadImportRow): AccountImport => ({
  key: importKeyOf(row),
  stagedVersion: row.staged_version,
  skipped: Boolean(row.skipped),
  claim: claimOf(row),
  attempts: row.attempts,
  latestFailure: failureIn(row),
  created: createdOf(row),
})

/** A stored payload: plain, or encrypted by the data key beside it. */
export type PayloadColumns = Readonly<{ payload: StoredText; data_key: string | null }>

const ownerOf = (key: AccountKey) => [tables.accountImports, ...importKeyValues(key)] as const

/** Each staging makes a data key: no statement reads one, and none encrypts two payloads. */
export const keptPayload = async (
  { dataKeys, dialect }: Pick<Db, 'dataKeys' | 'dialect'>,
  key: AccountKey,
  payload: string,
): Promise<PayloadColumns> => {
  const dataKey = await dataKeys.make()
  return {
    payload: dialect.storedText(keptText(dataKey, ownerOf(key), payload)),
    data_key: dataKey?.column ?? null,
  }
}

/**
 * The payload as it was staged. A plain payload may have a data key: an addition to its account made it. Throws a `KeyRingError`
 * or a `DecryptionError`.
 */
export const payloadOf = async (dataKeys: DataKeys, key: AccountKey, row: PayloadColumns): Promise<string> =>
  readEither(await dataKeys.of(row.data_key), ownerOf(key), textOf(row.payload))
