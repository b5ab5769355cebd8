import type { AccountImport, AccountKey, Claim, CreatedAccount } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import type { StoredText } from '../drivers/knex-clients.js'
import { type DataKeys, keptText, readText } from '../sql/crypto.js'
import {
  caseOf,
  failureIn,
  filledUp,
  grouped,
  hasOneOfKeys,
  importKeyOf,
  type ImportKeyRow,
  importKeyValues,
  instant,
  keyColumns,
  ofSupplier,
  placeholders,
  tables,
  textOf,
} from '../sql/rows.js'
import type { Db } from '../sql/session.js'
import { appending, eventLine, type ImportEvent } from './import-events.js'

/** The columns of a `ReadImportRow`; a payload is read only where it is needed. */
export const importColumns =
  `${keyColumns.join(', ')}, staged_version, staging_id, skipped, claim_token, claim_expires_at, attempts, ` +
  'latest_failure_code, latest_failure_at, platform_account_number, account_created_at, created_version, ' +
  'import_run, created_in_run'

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
    import_run: string | null
    created_in_run: string | null
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
  ...(row.import_run !== null && { importRun: row.import_run }),
  ...(row.created_in_run !== null && { createdInRun: row.created_in_run }),
})

/** The columns of a row that a change of an import locks and decides by. */
export type LockedImport = ReadImportRow &
  Readonly<{
    holds_slot: 0 | 1
    validated_under: string | null
    warned: string | null
  }>

/** Reads imports, to decide on changes of them. The answer finds the row of a key. */
export const readImports = async (
  db: Db,
  keys: readonly AccountKey[],
  end = '',
): Promise<(key: AccountKey) => LockedImport | undefined> => {
  const { sql, bindings } = hasOneOfKeys(keys)
  const rows = await db.select<LockedImport>(
    `SELECT ${importColumns}, holds_slot, validated_under, warned ` +
      `FROM ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} WHERE ${sql} ${end}`,
    bindings,
  )
  const found = new Map(rows.map((row) => [accountKeyText(importKeyOf(row)), row]))
  return (key) => found.get(accountKeyText(key))
}

/**
 * Locks the imports until the transaction ends, in the order of their keys, as all transactions do, so that none deadlock. Waits
 * for other transactions, and reads what they committed.
 */
export const lockImports = (db: Db, keys: readonly AccountKey[]): ReturnType<typeof readImports> =>
  readImports(db, keys, db.dialect.forUpdate)

/** Changes of one supplier's imports share transactions: their rows are adjacent, on one shard. */
export const byImport = {
  group: ({ key }: Readonly<{ key: AccountKey }>): string =>
    JSON.stringify([key.organisation, key.importSupplier]),
  name: ({ key }: Readonly<{ key: AccountKey }>): string => accountKeyText(key),
  owner: ({ key }: Readonly<{ key: AccountKey }>): string => key.organisation,
}

type Value = string | number | null

/**
 * Assignments of an UPDATE: with the same values for all rows, and with values by row, each after the text that it ends. `event`: what
 * the audit log says of the change of a row.
 */
type Assignments<Item> = Readonly<{
  event?: (item: Item) => ImportEvent
  set?: string
  values?: readonly Value[]
  each?: Readonly<Record<string, (item: Item) => Value>>
  /** A further condition of rows that are changed, and its bindings. */
  where?: readonly [] | readonly [condition: string, ...bindings: readonly Value[]]
}>

/** Changes imports, by one statement for each supplier, and returns how many; the items must be distinct. */
export const updateImports = async <Item extends Readonly<{ key: AccountKey }>>(
  db: Db,
  items: readonly Item[],
  { event, set, values = [], each = {}, where = [] }: Assignments<Item>,
): Promise<number> => {
  const [condition, ...ofCondition] = where
  let changed = 0
  for (const group of grouped(items, byImport.group).values()) {
    const list = filledUp(group)
    const numbers = list.map(({ key }) => key.externalAccountNumber)
    const ofItem = caseOf('external_account_number', list.length)
    const bindingsOf = (valueOf: (item: Item) => Value) =>
      list.flatMap((item) => [item.key.externalAccountNumber, valueOf(item)])
    // The first, because MySQL assigns from left to right, and an event says what was before the change.
    const events = event === undefined ? [] : [appending(ofItem)]
    const assignments = [
      ...events,
      ...(set === undefined ? [] : [set]),
      ...Object.keys(each).map((begin) => {
        const [column] = begin.split(' ')
        return `${begin} ${caseOf('external_account_number', list.length, column)}`
      }),
    ]
    changed += await db.change(
      `UPDATE ${db.dialect.inOrderOf(tables.accountImports, 'PRIMARY')} SET ${assignments.join(', ')} ` +
        `WHERE ${ofSupplier} AND external_account_number IN (${placeholders(list.length)})${condition === undefined ? '' : ` AND ${condition}`}`,
      [
        ...(event === undefined
          ? []
          : [...bindingsOf((item) => eventLine(event(item))), instant.write(event(group[0]).at)]),
        ...values,
        ...Object.values(each).flatMap(bindingsOf),
        ...importKeyValues(group[0].key).slice(0, 2),
        ...numbers,
        ...ofCondition,
      ] as Knex.RawBinding[],
    )
  }
  return changed
}

/** A stored payload: plain, or encrypted by the data key beside it. */
export type PayloadColumns = Readonly<{ payload: StoredText; data_key: string | null }>

const ownerOf = (key: AccountKey) => [tables.accountImports, ...importKeyValues(key)] as const

/** Each payload gets a new data key, which encrypts the additions to its account too. */
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

/** The payload as it was staged. Throws a `KeyRingError` or a `DecryptionError`. */
export const payloadOf = async (dataKeys: DataKeys, key: AccountKey, row: PayloadColumns): Promise<string> =>
  readText(await dataKeys.of(row.data_key), ownerOf(key), textOf(row.payload))
