import { type Instant, instantOf } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { Statements } from '../drivers/statements.js'
import { tables, toSqlInstant } from '../sql/rows.js'
import { keyColumns, selectRows } from '../sql/sql.js'
import type { Break } from './break-kinds.js'
import type { SupplierKey } from './cursor.js'

type UniqueKey = Readonly<{ table: string; columns: readonly string[]; isPrimary?: true }>

const primary = (table: string, columns: readonly string[]): UniqueKey => ({
  table,
  columns,
  isPrimary: true,
})

/** The keys that keep accounts, what belongs to them, and events of the record from being there twice. */
const uniqueKeys: readonly UniqueKey[] = [
  primary(tables.accountImports, keyColumns),
  primary(tables.accounts, keyColumns),
  { table: tables.accounts, columns: ['platform_account_number'] },
  primary(tables.accountItems, [...keyColumns, 'kind', 'ordinal']),
  { table: tables.accountItems, columns: [...keyColumns, 'kind', 'identity', 'copy'] },
  primary(tables.customerEmails, keyColumns),
  { table: tables.customerEmails, columns: ['id'] },
  primary(tables.auditLog, ['organisation', 'sequence']),
  primary(tables.auditUnsealed, ['organisation', 'import_supplier', 'entry_id']),
]

/** The keys that the database lacks. */
export const missingUniqueKeys = async (
  db: Statements,
  { uniqueKeysOfTables }: SqlDialect,
): Promise<readonly UniqueKey[]> => {
  type Row = Readonly<{ table_name: string; column_names: string }>
  const rows = await selectRows<Row>(db, uniqueKeysOfTables, [])
  const there = new Set(rows.map(({ table_name, column_names }) => `${table_name} ${column_names}`))
  return uniqueKeys.filter(({ table, columns }) => !there.has(`${table} ${columns.join(',')}`))
}

const numberKey = 'platform_account_number'

const twiceText =
  `SELECT ${numberKey} FROM ${tables.accounts} ` +
  `GROUP BY ${numberKey} HAVING COUNT(*) > 1 ORDER BY ${numberKey}`

/** The missing keys as breaks; where that of platform account numbers is missing, with the numbers that are there twice. */
export async function* keyBreaks(db: Statements, missing: readonly UniqueKey[]): AsyncGenerator<Break> {
  for (const { table, columns } of missing) yield { kind: 'unique_key_missing', table, columns }
  if (!missing.some(({ columns }) => columns.join() === numberKey)) return
  const rows = await selectRows<Readonly<{ platform_account_number: string }>>(db, twiceText, [])
  for (const { platform_account_number: platformAccountNumber } of rows)
    yield { kind: 'platform_number_twice', platformAccountNumber, table: tables.accounts }
}

const longestClaim = 3_600_000
const differenceOfClocks = 360_000

/** When the last of the claims ends that may have been taken until now: an hour is the longest that can be set. */
export const latestClaimEnd = (now: Instant): string =>
  toSqlInstant(instantOf(Date.parse(now) + longestClaim + differenceOfClocks))

const slotsText =
  `SELECT slot FROM ${tables.processingSlots} ` +
  'WHERE claim_token IS NOT NULL AND (expires_at IS NULL OR expires_at > ?) ORDER BY slot'

/** Slots that are taken for longer than any claim. */
export async function* slotBreaks(db: Statements, now: Instant): AsyncGenerator<Break> {
  const slots = await selectRows(db, slotsText, [latestClaimEnd(now)])
  if (slots.length > 0) yield { kind: 'slot_never_ends', table: tables.processingSlots, rows: slots.length }
}

const organisationText = `SELECT code FROM ${tables.organisations} WHERE code = ?`
const supplierText = `SELECT code FROM ${tables.importSuppliers} WHERE code = ? AND organisation = ?`

/** Whether supplier and organisation of rows are registered. */
export async function* registerBreaks(
  db: Statements,
  { organisation, import_supplier: importSupplier }: SupplierKey,
): AsyncGenerator<Break> {
  if ((await selectRows(db, organisationText, [organisation])).length === 0)
    yield { kind: 'organisation_unknown', organisation, importSupplier }
  if ((await selectRows(db, supplierText, [importSupplier, organisation])).length === 0)
    yield { kind: 'supplier_unknown', organisation, importSupplier }
}

/** The operations teams that there are. */
export const teamsIn = async (db: Statements): Promise<ReadonlySet<string>> => {
  type Row = Readonly<{ name: string }>
  const rows = await selectRows<Row>(db, `SELECT name FROM ${tables.operationsTeams}`, [])
  return new Set(rows.map(({ name }) => name))
}

/** What to look at: all, or what belongs to a supplier, or to an organisation. */
export type VerifyScope = Readonly<{ organisation?: string; importSupplier?: string }>

const nextText = (table: string, condition: string): string =>
  `SELECT organisation, import_supplier FROM ${table} WHERE ${condition} ORDER BY organisation, import_supplier LIMIT 1`

/** The next supplier that has rows in the table: its others are jumped over by the key. */
const nextIn = async (
  db: Statements,
  table: string,
  last: SupplierKey | undefined,
): Promise<SupplierKey | undefined> => {
  const next = async (condition: string, bindings: readonly string[]) =>
    (await selectRows<SupplierKey>(db, nextText(table, condition), bindings))[0]
  if (last === undefined) return next('1 = 1', [])
  const { organisation, import_supplier } = last
  return (
    (await next('organisation = ? AND import_supplier > ?', [organisation, import_supplier])) ??
    next('organisation > ?', [organisation])
  )
}

/** Every supplier that is registered or has rows in any table, so that no row is passed over. In order. */
export const suppliersIn = async (
  db: Statements,
  { organisation, importSupplier }: VerifyScope,
): Promise<readonly SupplierKey[]> => {
  const found = new Map<string, SupplierKey>()
  const add = (key: SupplierKey): unknown =>
    found.set(JSON.stringify([key.organisation, key.import_supplier]), key)
  const registered = `SELECT organisation, code AS import_supplier FROM ${tables.importSuppliers}`
  for (const key of await selectRows<SupplierKey>(db, registered, [])) add(key)
  for (const table of [tables.accountImports, tables.accounts, tables.accountItems, tables.customerEmails])
    for (let key = await nextIn(db, table, undefined); key !== undefined; key = await nextIn(db, table, key))
      add(key)
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, key]) => key)
    .filter(
      (key) =>
        (organisation === undefined || key.organisation === organisation) &&
        (importSupplier === undefined || key.import_supplier === importSupplier),
    )
}
