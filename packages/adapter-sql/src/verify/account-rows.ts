import { compareCodePoints } from '@account-import/core/adapter-kit'
import type { AccountRow } from '../ports/accounts.js'
import { importColumns, type ImportState, type ReadImportRow } from '../ports/import-rows.js'
import type { ItemRow } from '../ports/item-rows.js'
import { type ImportKeyRow, tables, grouped, maxStatementBytes } from '../sql/rows.js'
import type { Db } from '../sql/session.js'

/** The columns that are read of an import. */
export type VerifiedImport = ReadImportRow &
  Readonly<
    Record<'first_staged_at' | 'staged_at' | 'payload_removed_at' | 'payload' | 'data_key', string | null> & {
      state: ImportState
    }
  >

/** An e-mail, whatever its columns hold. */
export type VerifiedEmail = ImportKeyRow &
  Readonly<Record<'platform_account_number' | 'state', string>> &
  Readonly<Record<'due_at' | 'claim_token' | 'settled_at', string | null>>

/** All rows with one external account number: one import, account and e-mail at most, unless a key is missing. */
export type AccountRows = Readonly<{
  number: string
  imports: readonly VerifiedImport[]
  accounts: readonly AccountRow[]
  emails: readonly VerifiedEmail[]
  items: readonly ItemRow[]
}>

/** The owner of the rows: every table of accounts and imports begins its keys with it. */
export type SupplierKey = Readonly<{ organisation: string; import_supplier: string }>

/** Which rows are read, and where. */
export type Look = Readonly<{
  db: Db
  supplier: SupplierKey
  /** Only what has this external account number. */
  only?: string
  /** Tables whose primary keys the database lacks: it cannot be asked to read by them. */
  keyless: ReadonlySet<string>
}>

/** A table, the columns that are read of it, and how its key goes on behind the external account number. */
type Source = Readonly<{ table: string; columns?: string; order?: string }>

const imports: Source = {
  table: tables.accountImports,
  columns: `${importColumns}, state, first_staged_at, staged_at, payload_removed_at, data_key, payload`,
}
const items: Source = { table: tables.accountItems, order: ', t.kind, t.ordinal' }

const number = 't.external_account_number'
const mostRows = 1024

const bytesOf = (rows: readonly object[]): number => {
  let bytes = 0
  for (const row of rows)
    for (const value of Object.values(row)) bytes += typeof value === 'string' ? value.length : 8
  return bytes
}

/** Grows and shrinks with how large the rows before were; a power of two, so that few statements are prepared. */
const nextSize = (size: number, bytes: number): number => {
  if (bytes > maxStatementBytes) return Math.max(2, size / 4)
  return bytes < maxStatementBytes / 4 ? Math.min(mostRows, size * 2) : size
}

/**
 * Reads a table in the order of its primary key, a page at a time: few MiB, however many rows there are. A page begins after
 * a number, by the key and never by counting. The last number of a page may have more rows than that, so it is read again with
 * the next page. The table ends at the highest number that it has now: servers that write ascending numbers beside it would
 * otherwise always be ahead.
 */
const readerOf = async <Row extends ImportKeyRow>(
  { db, supplier, keyless, only }: Look,
  { table, columns = '*', order = '' }: Source,
) => {
  // Left alone, a database may sort all rows for each page.
  const from = keyless.has(table) ? `${table} AS t` : db.dialect.inOrderOf(`${table} AS t`, 'PRIMARY')
  const ofSupplier = `FROM ${from} WHERE t.organisation = ? AND t.import_supplier = ?`
  const key = [supplier.organisation, supplier.import_supplier]
  const highestText = `SELECT MAX(${number}) AS highest ${ofSupplier}`
  type Highest = Readonly<{ highest: string | null }>
  const end = only ?? (await db.select<Highest>(highestText, key))[0]?.highest ?? undefined
  let [comparison, place] = ['>=', only ?? '']
  let size = 16
  let isLast = end === undefined
  let numbers: string[] = []
  let rowsOf: ReadonlyMap<string, readonly Row[]> = new Map()

  const readPage = async (): Promise<void> => {
    const text =
      `SELECT ${columns} ${ofSupplier} AND ${number} ${comparison} ? AND ${number} <= ? ` +
      `ORDER BY ${number}${order} LIMIT ${size}`
    const page = await db.select<Row>(text, [...key, place, end ?? ''])
    rowsOf = grouped(page, (row) => row.external_account_number)
    numbers = [...rowsOf.keys()]
    isLast = page.length < size
    if (isLast) return
    numbers.pop()
    const last = numbers.at(-1)
    if (last !== undefined) [comparison, place] = ['>', last]
    size = last === undefined ? size * 2 : nextSize(Math.min(size, mostRows), bytesOf(page))
  }
  const readOn = async (): Promise<void> => {
    while (numbers.length === 0 && !isLast) await readPage()
  }

  await readOn()
  return {
    /** The number of the next rows; undefined at the end. */
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
 * Walks over imports, accounts, e-mails and items of a supplier together, in the order of the external account number: each call
 * gives all rows of the next account, undefined after the last.
 */
export const accountsIn = async (look: Look): Promise<() => Promise<AccountRows | undefined>> => {
  const all = {
    imports: await readerOf<VerifiedImport>(look, imports),
    accounts: await readerOf<AccountRow>(look, { table: tables.accounts }),
    emails: await readerOf<VerifiedEmail>(look, { table: tables.customerEmails }),
    items: await readerOf<ItemRow>(look, items),
  }
  return async () => {
    const numbers = Object.values(all).flatMap((reader) => reader.number() ?? [])
    const [lowest] = numbers.sort(compareCodePoints)
    if (lowest === undefined) return undefined
    return {
      number: lowest,
      imports: await all.imports.take(lowest),
      accounts: await all.accounts.take(lowest),
      emails: await all.emails.take(lowest),
      items: await all.items.take(lowest),
    }
  }
}
