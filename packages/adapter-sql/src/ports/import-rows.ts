import type {
  AccountImport,
  AccountKey,
  Actor,
  AuditEntry,
  Claim,
  CreatedAccount,
  Instant,
} from '@account-import/core'
import { isAuditEvent, isInstant, unnamedActor } from '@account-import/core/adapter-kit'
import { type DataKeys, keptText, readText, sha256 } from '../sql/crypto.js'
import {
  failureIn,
  importKeyOf,
  type ImportKeyRow,
  importKeyValues,
  instant,
  keyColumns,
  tables,
} from '../sql/rows.js'

/** The columns that are read of an import: its payload is read only where it is wanted. */
export const importColumns =
  `${keyColumns.join(', ')}, staged_version, staging_id, skipped, claim_token, claim_expires_at, attempts, ` +
  'latest_failure_code, latest_failure_at, platform_account_number, account_created_at, created_version'

/** An import as it is read. */
export type ReadImportRow = ImportKeyRow &
  Readonly<{
    staged_version: number
    /** The id of the staging that wrote the row last: a batch finds out which of its items were taken. */
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

/** A payload as the row of its import keeps it: as it is, or encrypted by the data key beside it. */
export type PayloadColumns = Readonly<{ payload: string; data_key: string | null }>

const ownerOf = (key: AccountKey) => [tables.accountImports, ...importKeyValues(key)] as const

/** Each staging has a data key of its own: nothing is read to find one, and none is used for two payloads. */
export const keptPayload = async (
  dataKeys: DataKeys,
  key: AccountKey,
  payload: string,
): Promise<PayloadColumns> => {
  const dataKey = await dataKeys.make()
  return { payload: keptText(dataKey, ownerOf(key), payload), data_key: dataKey?.column ?? null }
}

/** The payload as it was staged. Throws a `KeyRingError` or a `DecryptionError`. */
export const payloadOf = async (dataKeys: DataKeys, key: AccountKey, row: PayloadColumns): Promise<string> =>
  readText(await dataKeys.of(row.data_key), ownerOf(key), row.payload)

/** The content of an audit event in the row of an import; the statement that changes the row adds the hash before. */
type RowEntry = Pick<AuditEntry, 'at' | 'what' | 'subject' | 'after'> & Readonly<{ by: Actor | undefined }>

/**
 * A line of `account_imports.unsealed` is `<version> <hash of the payload> <JSON>`, of the version and payload that the row had
 * before. This is the part that is known before the row is: a statement puts the rest in front (`beforeLine`).
 */
export const endOfLine = ({ at, what, by = unnamedActor, subject, after }: RowEntry): string =>
  ` ${JSON.stringify({ at, what, who: by.who, request: by.requestId, subject, after })}\n`

/** How a line begins in the row of an import that was not there. */
export const beginOfFirstLine = '0 '

/** An expression: the lines of the row, and after them one that ends with the given expression. */
export const withLine = (end: string): string =>
  `CONCAT(COALESCE(${tables.accountImports}.unsealed, ''), ${tables.accountImports}.staged_version, ' ', COALESCE(${tables.accountImports}.payload_hash, ''), ${end})`

/**
 * Assignments that add a line to the row: before all others, as MySQL assigns from left to right and the line tells of the row
 * as it was. Bindings: those of `end`, and when it was.
 */
export const recorded = (end = '?'): string =>
  `unsealed = ${withLine(end)}, unsealed_since = COALESCE(unsealed_since, ?)`

const form = /^(\d+) ([0-9a-f]*) (\{.*\})$/s

type Said = Omit<RowEntry, 'by'> & Readonly<{ who: string; request?: string }>

const saidIn = (json: string): Said | undefined => {
  try {
    const said = JSON.parse(json) as Said
    return isInstant(said.at) && isAuditEvent(said.what) ? said : undefined
  } catch {
    return undefined
  }
}

const entryOf = (key: AccountKey, since: Instant, line: string): AuditEntry => {
  const [, version, before, json = ''] = form.exec(line) ?? []
  const said = saidIn(json)
  if (said === undefined)
    return { ...key, at: since, what: 'unreadable', by: unnamedActor, after: sha256(line) }
  const { at, what, who, request, subject, after } = said
  return {
    ...key,
    at,
    what: what === 'staged' && version !== '0' ? 'restaged' : what,
    by: { who, requestId: request },
    subject,
    before: before === '' ? undefined : before,
    after,
  }
}

/**
 * The entries that the row of an import carries, in the order in which they were added. `since`: what the row says of when
 * the first was.
 */
export const entriesOfLines = (key: AccountKey, since: Instant, lines: string): readonly AuditEntry[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => entryOf(key, since, line))
