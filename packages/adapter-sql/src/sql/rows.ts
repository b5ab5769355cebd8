import type { AccountKey, FailedAttempt, Instant } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { SqlValue, StoredText } from '../drivers/knex-clients.js'

/** The names of all tables. */
export const tables = {
  organisations: 'organisations',
  importSuppliers: 'import_suppliers',
  operationsTeams: 'operations_teams',
  operationsTeamBindings: 'operations_team_bindings',
  apiKeys: 'api_keys',
  refreshTokens: 'refresh_tokens',
  accountImports: 'account_imports',
  importRuns: 'import_runs',
  importRunFailures: 'import_run_failures',
  openFailures: 'open_failures',
  webhooks: 'webhooks',
  webhookDeliveries: 'webhook_deliveries',
  processingSlots: 'processing_slots',
  accountItems: 'account_items',
  customerEmails: 'customer_emails',
  idempotencyRecords: 'idempotency_records',
  rateLimits: 'rate_limits',
  auditUnsealed: 'audit_unsealed',
  auditLog: 'audit_log',
  auditBlocks: 'audit_blocks',
  apiKeyNetworks: 'api_key_networks',
  leases: 'leases',
  encryptionKeys: 'encryption_keys',
} as const

/** A row to be inserted: a value for every column of the row type, so that none can be forgotten. */
export type NewRow<R> = {
  readonly [Column in keyof R]: null extends R[Column] ? R[Column] | undefined : R[Column]
}

/** A row of any table to be inserted, by column. */
export type Row = Readonly<Record<string, SqlValue>>

/**
 * A DATETIME(3) column: `2026-11-21 02:15:13.123`, in UTC. These texts compare as the instants do; the driver leaves out
 * milliseconds that are zero.
 */
export const instant = {
  write: (value: Instant): string => `${value.slice(0, 10)} ${value.slice(11, 19)}${value.slice(19, 23)}`,
  read: (text: SqlValue): Instant => {
    if (typeof text !== 'string') throw new TypeError('a column of times holds something else')
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z` as Instant
  },
}

/** The text in a column of bytes (LONGBLOB), which the dialect's `storedText` was bound to. */
export const textOf = (stored: StoredText): string =>
  typeof stored === 'string' ? stored : stored.toString('utf8')

/** As `instant`, for a column that may be NULL. */
export const optionalInstant = {
  write: (value: Instant | undefined): string | undefined => value && instant.write(value),
  read: (text: SqlValue): Instant | undefined => (typeof text === 'string' ? instant.read(text) : undefined),
}

/** The latest failure in a row; undefined where there is none. */
export const failureIn = (
  row: Readonly<{ latest_failure_code: string | null; latest_failure_at: string | null }>,
): FailedAttempt | undefined =>
  row.latest_failure_code === null || row.latest_failure_at === null
    ? undefined
    : { code: row.latest_failure_code, occurredAt: instant.read(row.latest_failure_at) }

/** A stored text is not JSON of the type of its column. The message names the column and quotes nothing of the text. */
export class StoredJsonError extends Error {
  override readonly name = 'StoredJsonError'
  constructor(column: string) {
    super(`${column} does not hold the JSON that it is for`)
  }
}

/** One of the texts of a closed list. */
export const oneOf = <A extends string>(members: readonly A[]): t.Type<A> =>
  t.keyof(Object.fromEntries(members.map((member) => [member, null])) as Record<A, null>)

/** Converts between a value and its column; undefined is stored as NULL. */
type Column<A> = Readonly<{ write(value: A): SqlValue; read(value: SqlValue): A }>

/** A text or number, stored unchanged. */
export const plain = <A extends string | number | undefined>(): Column<A> => ({
  write: (value) => value,
  read: (value) => (value ?? undefined) as A,
})

/**
 * A list or object that is stored as JSON text and that no query searches. `column` names it in messages: `api_keys.scopes`.
 * Unknown fields, which a later version may have added, are accepted. `read` throws a `StoredJsonError` for a text that is not
 * JSON of the type.
 */
export const jsonColumn = <A>(
  column: string,
  type: t.Type<A>,
): Readonly<{ write(value: A): string; read(text: SqlValue): A }> => ({
  write: (value) => JSON.stringify(value),
  read: (text) => {
    let value: unknown
    try {
      value = JSON.parse(String(text))
    } catch {
      // The parser's error quotes the text, so it is dropped.
    }
    if (!type.is(value)) throw new StoredJsonError(column)
    return value
  },
})

/** A table whose rows hold records, each field in the column of its name: `createdAt` in `created_at`. */
export const recordTable = <R extends object>(
  name: string,
  columns: { readonly [Field in keyof R]-?: Column<R[Field]> },
): Readonly<{ name: string; rowOf(record: R): Row; recordOf(row: Row): R }> => {
  const fields = Object.entries<Column<unknown>>(columns).map(([field, { write, read }]) => {
    const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return { field: field as keyof R, column, write, read }
  })
  return {
    name,
    rowOf: (record) =>
      Object.fromEntries(fields.map(({ field, column, write }) => [column, write(record[field])])),
    recordOf: (row) =>
      Object.fromEntries(fields.map(({ field, column, read }) => [field, read(row[column])])) as R,
  }
}

export type ImportKeyRow = Readonly<{
  organisation: string
  import_supplier: string
  external_account_number: string
}>

/** The key of an import as columns. */
export const importKeyRow = (key: AccountKey): ImportKeyRow => ({
  organisation: key.organisation,
  import_supplier: key.importSupplier,
  external_account_number: key.externalAccountNumber,
})

export const importKeyOf = (row: ImportKeyRow): AccountKey => ({
  organisation: row.organisation,
  importSupplier: row.import_supplier,
  externalAccountNumber: row.external_account_number,
})

/** A `?` for each value of a list. */
export const placeholders = (count: number): string => Array<string>(count).fill('?').join(', ')

/**
 * Maps `count` values of a column to other values. Bindings: each value of the column, followed by its result. `otherwise` has the type
 * of the results: without it PostgreSQL takes them for texts.
 */
export const caseOf = (column: string, count: number, otherwise = 'NULL'): string =>
  `CASE ${column}${' WHEN ? THEN ?'.repeat(count)} ELSE ${otherwise} END`

/** Pads the list to a power of two with its last member, because each connection prepares a statement for each length. */
export const filledUp = <A>(list: readonly A[]): readonly A[] => {
  const length = 2 ** Math.ceil(Math.log2(list.length))
  return Array.from({ length }, (_, index) => list[Math.min(index, list.length - 1)] as A)
}

/** The only numbers of rows of an insert of few texts, because each connection prepares a statement for each of them. */
export const insertedSizes = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1] as const

/** Most bytes of one statement, far below MySQL's limit of a packet (16 MiB by default). */
export const maxStatementBytes = 4 * 1024 * 1024

/** The first rows of several ranges in one order. Each range is a SELECT that ends with an order and a LIMIT, the whole with `end`. */
export const merged = ({ limitedPart }: SqlDialect, ranges: readonly string[], end: string): string =>
  ranges.length === 1 ? ranges.join('') : `${ranges.map(limitedPart).join(' UNION ALL ')} ${end}`

/** The key of an import, of its staged data and of its e-mail. */
export const keyColumns = ['organisation', 'import_supplier', 'external_account_number'] as const

/** The order in which every transaction locks imports, so that two transactions never wait for each other (a deadlock). */
export const compareKeys = (a: AccountKey, b: AccountKey): number =>
  compareCodePoints(a.organisation, b.organisation) ||
  compareCodePoints(a.importSupplier, b.importSupplier) ||
  compareCodePoints(a.externalAccountNumber, b.externalAccountNumber)

type Condition = Readonly<{ sql: string; bindings: readonly string[] }>

/**
 * Matches rows with one of the keys. The keys are sorted, padded (`filledUp`) and grouped by supplier: MariaDB uses no index for
 * a list of tuples.
 */
export const hasOneOfKeys = (keys: readonly AccountKey[]): Condition => {
  const sorted = filledUp(keys.toSorted(compareKeys))
  const groups = [
    ...grouped(sorted, ({ organisation, importSupplier }) =>
      JSON.stringify([organisation, importSupplier]),
    ).values(),
  ]
  const sql = groups.map(
    (group) =>
      `(organisation = ? AND import_supplier = ? AND external_account_number IN (${placeholders(group.length)}))`,
  )
  const bindings = groups.flatMap((group) => [
    ...importKeyValues(group[0]).slice(0, 2),
    ...group.map((key) => key.externalAccountNumber),
  ])
  return { sql: sql.join(' OR '), bindings }
}

/** Matches rows of a supplier. Bindings: its organisation and code. */
export const ofSupplier = 'organisation = ? AND import_supplier = ?'

/** Matches rows of the import of a key. Bindings: `importKeyValues`. */
export const ofImport = keyColumns.map((column) => `${column} = ?`).join(' AND ')

export const importKeyValues = ({
  organisation,
  importSupplier,
  externalAccountNumber,
}: AccountKey): readonly string[] => [organisation, importSupplier, externalAccountNumber]

/** Groups the items by a key: the keys in the order of their first items, each group in the order of the list. */
export const grouped = <A, K>(
  items: readonly A[],
  keyOf: (item: A) => K,
): ReadonlyMap<K, readonly [A, ...A[]]> => {
  const groups = new Map<K, [A, ...A[]]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
