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
import type { StoredText } from '../drivers/knex-clients.js'
import { type DataKeys, keptText, readEither, sha256 } from '../sql/crypto.js'
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

/** The content of an audit event in the row of an import; the statement that changes the row adds the hash before. */
type RowEntry = Pick<AuditEntry, 'at' | 'what' | 'subject' | 'after'> & Readonly<{ by: Actor | undefined }>

/**
 * A line of `account_imports.unsealed` is `<version> <hash of the payload> <JSON>`, with version and payload of the row before
 * the change. This is the end, which does not depend on the row; the statement adds the beginning (`withLine`).
 */
export const endOfLine = ({ at, what, by = unnamedActor, subject, after }: RowEntry): string =>
  ` ${JSON.stringify({ at, what, who: by.who, request: by.requestId, subject, after })}\n`

/** The beginning of a line in a new row. */
export const beginOfFirstLine = '0 '

/** An expression: the lines of the row, followed by one that ends with the given expression. */
export const withLine = (end: string): string =>
  `CONCAT(COALESCE(${tables.accountImports}.unsealed, ''), ${tables.accountImports}.staged_version, ' ', COALESCE(${tables.accountImports}.payload_hash, ''), ${end})`

/**
 * Assignments that add a line to the row. They come before all others, because MySQL assigns from left to right and the line
 * describes the row before the change. Bindings: those of `end`, and the time.
 */
export const recorded = (end = '?'): string =>
  `unsealed = ${withLine(end)}, unsealed_since = COALESCE(unsealed_since, ?)`

const form = /^(\d+) ([0-9a-f]*) (\{.*\})$/s

type ParsedLine = Omit<RowEntry, 'by'> & Readonly<{ who: string; request?: string }>

const parsedIn = (json: string): ParsedLine | undefined => {
  try {
    const parsed = JSON.parse(json) as ParsedLine
    return isInstant(parsed.at) && isAuditEvent(parsed.what) ? parsed : undefined
  } catch {
    return undefined
  }
}

const entryOf = (key: AccountKey, since: Instant, line: string): AuditEntry => {
  const [, version, before, json = ''] = form.exec(line) ?? []
  const parsed = parsedIn(json)
  if (parsed === undefined)
    return { ...key, at: since, what: 'unreadable', by: unnamedActor, after: sha256(line) }
  const { at, what, who, request, subject, after } = parsed
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

/** The entries in the row of an import, in the order in which they were added. `since`: the time of the first one by the row. */
export const entriesOfLines = (key: AccountKey, since: Instant, lines: string): readonly AuditEntry[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => entryOf(key, since, line))
