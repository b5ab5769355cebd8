import { instantOf, type KeyRing } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { dataKeys } from '../sql/crypto.js'
import { importColumns } from '../ports/import-rows.js'
import type { DescribedColumn } from '../schema/differences.js'
import { grouped, type ImportKeyRow, keyColumns, ofSupplier, tables } from '../sql/rows.js'
import { Db, fittingPage, type Length, type PoolSession, poolSession } from '../sql/session.js'
import { type AccountRows, breaksOf, isCreated, latestClaimEnd, type Walk } from './account-breaks.js'
import { type Break, breakOf } from './break-kinds.js'

/** The scope of a run: all, a supplier, or an organisation. */
export type VerifyScope = Readonly<{ organisation?: string; importSupplier?: string }>

/** The kinds of data that `OnVerified` counts. */
export type Counted = 'suppliers' | 'imports' | 'accounts' | 'emails' | 'rows'

/** Called with the number of checked rows of a kind, for counts and progress. */
export type OnVerified = (what: Counted, many: number) => void

/** A table, the columns to read, and the order of rows with one external account number. */
type Source = Readonly<{
  table: string
  columns?: string
  order?: string
  /** The column with texts of any length. */
  long: string
}>

const imports: Source = {
  table: tables.accountImports,
  columns:
    `${importColumns}, state, first_staged_at, staged_at, import_run, validated_under, payload_hash, created_format, created_in_run, ` +
    'operations_team, additions, remains, payload_removed_at, erased_at, data_key, payload',
  long: 'payload',
}
const emails: Source = { table: tables.customerEmails, long: 'id' }
const items: Source = { table: tables.accountItems, order: ', t.kind, t.ordinal', long: 'content' }

const number = 't.external_account_number'
const mostRows = 1024

/** The number of rows to read of those whose texts fit into a page: two at least, and a power of two, so that few statements are prepared. */
const fitting = (rows: number): number => Math.max(2, 2 ** Math.floor(Math.log2(rows)))

/**
 * Reads a table in the order of its primary key, in keyset pages of at most 2 MiB, or of one account. Each page begins after an
 * account number. The last number of a page may have more rows, so the next page reads it again. The table ends at the number
 * that is the highest at the start: servers that write ascending numbers beside it would otherwise always be ahead.
 */
const readerOf = async <Row extends ImportKeyRow>(
  { db, supplier, keyless, only }: Walk,
  { table, columns = '*', order = '', long }: Source,
) => {
  // Without the index a database may sort all rows for each page.
  const from = keyless.has(table) ? `${table} AS t` : db.dialect.inOrderOf(`${table} AS t`, 'PRIMARY')
  const ofSupplier = `FROM ${from} WHERE t.organisation = ? AND t.import_supplier = ?`
  const key = [supplier.organisation, supplier.import_supplier]
  const highestText = `SELECT MAX(${number}) AS highest ${ofSupplier}`
  type Highest = Readonly<{ highest: string | null }>
  const end = only ?? (await db.select<Highest>(highestText, key))[0]?.highest ?? undefined
  let [comparison, place] = ['>=', only ?? '']
  let size = mostRows
  /** Whether the rows of one number are read, however long they are. */
  let isAlone = false
  let isLast = end === undefined
  let numbers: string[] = []
  let rowsOf: ReadonlyMap<string, readonly Row[]> = new Map()

  const read = <Found>(selected: string, limit: number): Promise<readonly Found[]> => {
    const text =
      `SELECT ${selected} ${ofSupplier} AND ${number} ${comparison} ? AND ${number} <= ? ` +
      `ORDER BY ${number}${order} LIMIT ${limit}`
    return db.select<Found>(text, [...key, place, end ?? ''])
  }

  const mostThatFit = async (): Promise<number> => {
    const { items: rows, isLast: areAll } = fittingPage(
      await read<Length>(`${db.dialect.bytesOf(`t.${long}`)} AS bytes`, size),
      size,
    )
    return areAll ? size : fitting(rows.length)
  }

  const readPage = async (): Promise<void> => {
    const limit = isAlone ? size : await mostThatFit()
    const page = await read<Row>(columns, limit)
    rowsOf = grouped(page, (row) => row.external_account_number)
    numbers = [...rowsOf.keys()]
    isLast = page.length < limit
    if (isLast) return
    numbers.pop()
    const last = numbers.at(-1)
    if (last !== undefined) [comparison, place] = ['>', last]
    isAlone = last === undefined
    size = isAlone ? limit * 2 : mostRows
  }
  const readOn = async (): Promise<void> => {
    while (numbers.length === 0 && !isLast) await readPage()
  }

  await readOn()
  return {
    /** The account number of the next rows; undefined at the end. */
    number: (): string | undefined => numbers[0],
    /** The next rows, if they have this number. */
    take: async (wanted: string): Promise<readonly Row[]> => {
      if (numbers[0] !== wanted) return []
      const rows = rowsOf.get(wanted) ?? []
      numbers.shift()
      await readOn()
      return rows
    },
  }
}

/**
 * Reads imports, e-mails and items of a supplier together, in the order of the external account number: each call
 * returns all rows of the next account, undefined after the last.
 */
const accountsIn = async (walk: Walk): Promise<() => Promise<AccountRows | undefined>> => {
  const all = {
    imports: await readerOf<AccountRows['imports'][number]>(walk, imports),
    emails: await readerOf<AccountRows['emails'][number]>(walk, emails),
    items: await readerOf<AccountRows['items'][number]>(walk, items),
  }
  return async () => {
    const numbers = Object.values(all).flatMap((reader) => reader.number() ?? [])
    const [lowest] = numbers.sort(compareCodePoints)
    if (lowest === undefined) return undefined
    return {
      number: lowest,
      imports: await all.imports.take(lowest),
      emails: await all.emails.take(lowest),
      items: await all.items.take(lowest),
    }
  }
}

type UniqueKey = readonly [table: string, ...columns: readonly string[]]

const primaryKeys: readonly UniqueKey[] = [
  [tables.accountImports, ...keyColumns],
  [tables.accountItems, ...keyColumns, 'kind', 'ordinal'],
  [tables.customerEmails, ...keyColumns],
  [tables.auditLog, 'organisation', 'block', 'id'],
  [tables.auditUnsealed, 'organisation', 'import_supplier', 'id'],
  [tables.auditBlocks, 'organisation', 'block'],
]
const accountNumberKey: UniqueKey = [tables.accountImports, 'platform_account_number']

/** The unique keys that prevent duplicates of accounts, of the rows that belong to them, and of audit events. */
const uniqueKeys: readonly UniqueKey[] = [
  ...primaryKeys,
  accountNumberKey,
  [tables.accountItems, ...keyColumns, 'kind', 'identity', 'copy'],
  [tables.customerEmails, 'id'],
]

/** The unique keys that the database lacks. */
const missingUniqueKeys = async (db: Db): Promise<readonly UniqueKey[]> => {
  const rows = await db.select<DescribedColumn>(db.dialect.tablesText)
  const unique = rows.filter(({ key_name, flag }) => key_name !== null && Number(flag) === 1)
  const keys = grouped(unique, ({ table_name, key_name }) => `${table_name} ${key_name}`)
  const there = new Set(
    [...keys.values()].map((key) => [key[0].table_name, ...key.map((each) => each.column_name)].join()),
  )
  return uniqueKeys.filter((key) => !there.has(key.join()))
}

const numbersTwiceText =
  `SELECT platform_account_number AS number, COUNT(*) AS times FROM ${tables.accountImports} ` +
  'WHERE platform_account_number IS NOT NULL GROUP BY platform_account_number HAVING COUNT(*) > 1 ORDER BY platform_account_number'
const endlessSlotsText =
  `SELECT slot FROM ${tables.processingSlots} ` +
  'WHERE claim_token IS NOT NULL AND (expires_at IS NULL OR expires_at > ?)'

/** The breaks of the database as a whole. Account numbers can repeat only where their unique key is missing. */
const databaseBreaks = async (db: Db, missing: readonly UniqueKey[]): Promise<readonly Break[]> => {
  const breaks = missing.map(([table, ...columns]) => breakOf('unique_key_missing', { table, columns }))
  if (missing.includes(accountNumberKey)) {
    type Row = Readonly<{ number: string; times: number }>
    for (const { number, times } of await db.select<Row>(numbersTwiceText))
      breaks.push(breakOf('platform_number_twice', { platformAccountNumber: number, rows: Number(times) }))
  }
  const { length } = await db.select(endlessSlotsText, [latestClaimEnd(instantOf(Date.now()))])
  if (length > 0) breaks.push(breakOf('slot_never_ends', { rows: length }))
  return breaks
}

/** The distinct values of a column. Each statement finds the next value by the key, without reading the rows of the last one. */
const distinct = async (db: Db, select: string, ...values: string[]): Promise<readonly string[]> => {
  const found: string[] = []
  for (;;) {
    const [row] = await db.select<Readonly<{ next: string | null }>>(select, [...values, found.at(-1) ?? ''])
    if (typeof row?.next !== 'string') return found
    found.push(row.next)
  }
}

/** Every supplier of the scope that is registered or has rows in any table, so that no row is left out. In order. */
const suppliersIn = async (db: Db, scope: VerifyScope): Promise<readonly Walk['supplier'][]> => {
  const registered = `SELECT organisation, code AS import_supplier FROM ${tables.importSuppliers}`
  const found = [...(await db.select<Walk['supplier']>(registered))]
  for (const table of [tables.accountImports, tables.accountItems, tables.customerEmails]) {
    const organisations = `SELECT MIN(organisation) AS next FROM ${table} WHERE organisation > ?`
    const suppliers = `SELECT MIN(import_supplier) AS next FROM ${table} WHERE organisation = ? AND import_supplier > ?`
    for (const organisation of await distinct(db, organisations))
      for (const import_supplier of await distinct(db, suppliers, organisation))
        found.push({ organisation, import_supplier })
  }
  const wanted = found.filter(
    ({ organisation, import_supplier }) =>
      (scope.organisation ?? organisation) === organisation &&
      (scope.importSupplier ?? import_supplier) === import_supplier,
  )
  const texts = [...new Set(wanted.map((key) => JSON.stringify(key)))].sort()
  return texts.map((text) => JSON.parse(text) as Walk['supplier'])
}

const teamsText = `SELECT name FROM ${tables.operationsTeams}`
const organisationsText = `SELECT code AS name FROM ${tables.organisations}`
const runsText = `SELECT id AS name FROM ${tables.importRuns} WHERE ${ofSupplier}`
const suppliersText = `SELECT code AS name FROM ${tables.importSuppliers} WHERE organisation = ?`

const namesIn = async (db: Db, select: string, ...values: string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.select<Readonly<{ name: string }>>(select, values)
  return new Set(rows.map(({ name }) => name))
}

/** The registered names that rows of a supplier may have. */
const namesFor = async (
  db: Db,
  { organisation, import_supplier }: Walk['supplier'],
): Promise<Pick<Walk, 'runs' | 'teams'>> => ({
  teams: await namesIn(db, teamsText),
  runs: await namesIn(db, runsText, organisation, import_supplier),
})

/** All breaks of one account in one snapshot. */
const breaksInSnapshot = ({ snapshot }: PoolSession, walk: Walk, only: string): Promise<readonly Break[]> =>
  snapshot(async (db) => {
    const again = { ...walk, db, only, ...(await namesFor(db, walk.supplier)), now: instantOf(Date.now()) }
    const rows = await (await accountsIn(again))()
    return rows === undefined ? [] : breaksOf(rows, again)
  })

const ownerBreaks = async ({ db, supplier }: Walk): Promise<readonly Break[]> => {
  const { organisation, import_supplier: importSupplier } = supplier
  const breaks: Break[] = []
  if (!(await namesIn(db, organisationsText)).has(organisation))
    breaks.push(breakOf('organisation_unknown', { organisation, importSupplier }))
  if (!(await namesIn(db, suppliersText, organisation)).has(importSupplier))
    breaks.push(breakOf('supplier_unknown', { organisation, importSupplier }))
  return breaks
}

/**
 * Checks a database of this version for contradictions between imports, their payloads, the accounts, their items, and the outbox.
 * Yields each break as soon as it is found, supplier by supplier; needs a few MiB for any number of accounts. May run beside
 * servers that write. Changes nothing. The key ring decrypts encrypted data. Rejects with the driver's error, or with a
 * `KeyRingError` where a key is missing.
 */
export async function* verify(
  knex: Knex,
  scope: VerifyScope = {},
  onVerified: OnVerified = () => undefined,
  keyRing?: KeyRing,
): AsyncGenerator<Break> {
  const session = poolSession(knex, dataKeys(keyRing), () => undefined)
  const db = new Db((sql, bindings) => session.query(async (held) => held.raw(sql, bindings)), session)
  const missing = await missingUniqueKeys(db)
  yield* await databaseBreaks(db, missing)
  const keyless = new Set(missing.filter((key) => primaryKeys.includes(key)).map(([table]) => table))
  for (const supplier of await suppliersIn(db, scope)) {
    const walk = { db, keyless, supplier, ...(await namesFor(db, supplier)), now: instantOf(Date.now()) }
    yield* await ownerBreaks(walk)
    const next = await accountsIn(walk)
    for (let rows = await next(); rows !== undefined; rows = await next()) {
      const { number, imports: found, emails, items: added } = rows
      onVerified('imports', found.length)
      onVerified('accounts', found.filter(isCreated).length)
      onVerified('emails', emails.length)
      onVerified('rows', added.length)
      // Servers may write between the reads of two tables, so an account with breaks is read again in one snapshot.
      if ((await breaksOf(rows, walk)).length > 0) yield* await breaksInSnapshot(session, walk, number)
    }
    onVerified('suppliers', 1)
  }
}
