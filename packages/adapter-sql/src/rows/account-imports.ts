import type { AccountImport, Claim, CreatedAccount, FailedAttempt } from '@account-import/core'
import { importKeyOf, type ImportKeyRow } from './import-key.js'
import { fromSqlInstant } from './instants.js'
import type { SqlBoolean } from './row.js'

/** `none`: known only because it was once marked to be skipped. Derived, for the index of the lists. */
export type ImportState = 'none' | 'staged' | 'skipped' | 'created'

/** All but the payload: the JSON text that was staged, which makes most of a row and is NULL where nothing was. */
export type AccountImportRow = ImportKeyRow &
  Readonly<{
    staged_version: number
    first_staged_at: string | null
    staged_at: string | null
    /** Of the staging that wrote the row last: a batch finds out which of its items were taken. */
    staging_id: string | null
    state: ImportState
    skipped: SqlBoolean
    claim_token: string | null
    claim_expires_at: string | null
    /** The claim occupies a row of `processing_slots`. */
    holds_slot: SqlBoolean
    attempts: number
    latest_failure_code: string | null
    latest_failure_at: string | null
    platform_account_number: string | null
    account_created_at: string | null
    created_version: number | null
    /** Of the payload, which it outlives; NULL where nothing was ever staged. */
    payload_hash: string | null
    /** The entries of the record that are not sealed yet, each on a line (`entriesOfLines`), and since when there are some. */
    unsealed: string | null
    unsealed_since: string | null
    /** Since when the data of a created one is gone: it was due, or the account was erased. */
    payload_removed_at: string | null
    erased_at: string | null
  }>

/** The columns that are read of an import: its payload is read only where it is wanted. */
export const importColumns = [
  'organisation',
  'import_supplier',
  'external_account_number',
  'staged_version',
  'staging_id',
  'skipped',
  'claim_token',
  'claim_expires_at',
  'attempts',
  'latest_failure_code',
  'latest_failure_at',
  'platform_account_number',
  'account_created_at',
  'created_version',
] as const satisfies readonly (keyof AccountImportRow)[]

/** An import as it is read. */
export type ReadImportRow = Pick<AccountImportRow, (typeof importColumns)[number]>

const claimOf = (row: ReadImportRow): Claim | undefined =>
  row.claim_token === null || row.claim_expires_at === null
    ? undefined
    : { token: row.claim_token, expiresAt: fromSqlInstant(row.claim_expires_at) }

const failureOf = (row: ReadImportRow): FailedAttempt | undefined =>
  row.latest_failure_code === null || row.latest_failure_at === null
    ? undefined
    : { code: row.latest_failure_code, occurredAt: fromSqlInstant(row.latest_failure_at) }

const createdOf = (row: ReadImportRow): CreatedAccount | undefined =>
  row.platform_account_number === null || row.account_created_at === null || row.created_version === null
    ? undefined
    : {
        platformAccountNumber: row.platform_account_number,
        createdAt: fromSqlInstant(row.account_created_at),
        stagedVersion: row.created_version,
      }

export const accountImportOf = (row: ReadImportRow): AccountImport => ({
  key: importKeyOf(row),
  stagedVersion: row.staged_version,
  skipped: Boolean(row.skipped),
  claim: claimOf(row),
  attempts: row.attempts,
  latestFailure: failureOf(row),
  created: createdOf(row),
})
