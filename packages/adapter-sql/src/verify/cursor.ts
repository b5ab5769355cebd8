import type { Instant } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { Statements } from '../drivers/statements.js'
import type { DataKeys } from '../sql/crypto.js'
import { maxStatementBytes, selectRows } from '../sql/sql.js'

/** Whose rows are looked at: every table of accounts and imports begins its keys with it. */
export type SupplierKey = Readonly<{ organisation: string; import_supplier: string }>

/** What is counted on the way. */
export type Counted = 'suppliers' | 'imports' | 'accounts' | 'emails' | 'rows'

/** One look at the rows of a supplier. */
export type Look = Readonly<{
  db: Statements
  dialect: SqlDialect
  dataKeys: DataKeys
  supplier: SupplierKey
  /** Only what has this external account number. */
  only?: string
  now: Instant
  teams: ReadonlySet<string>
  /** Tables whose primary keys the database lacks: it cannot be asked to read by them. */
  keyless: ReadonlySet<string>
  count(what: Counted, many: number): void
}>

type AnyRow = Readonly<Record<string, unknown>>

/** What is read of a table, in the order of the primary key: of the external account number, then of these columns. */
export type Source = Readonly<{ table: string; columns: string; ordinals?: readonly string[] }>

/** Goes through rows once, from the first to the last. */
export type Cursor<R> = Readonly<{
  /** The number of the next row; undefined at the end. */
  next(): Promise<string | undefined>
  /** Visits the next rows, as long as they have this number. */
  each(number: string, visit: (row: R) => void): Promise<void>
}>

const number = 'external_account_number'
const mostRows = 1024

/** Later than the place: by the first column in which they differ. */
const after = ([column, ...others]: readonly string[]): string =>
  others.length === 0 ? `t.${column} > ?` : `(t.${column} > ? OR (t.${column} = ? AND ${after(others)}))`

const placesAfter = ([value, ...others]: readonly Knex.RawBinding[]): readonly Knex.RawBinding[] =>
  others.length === 0
    ? [value as Knex.RawBinding]
    : [value as Knex.RawBinding, value as Knex.RawBinding, ...placesAfter(others)]

const bytesOf = (rows: readonly AnyRow[]): number => {
  let bytes = 0
  for (const row of rows)
    for (const value of Object.values(row)) bytes += typeof value === 'string' ? value.length : 8
  return bytes
}

/** Grows and shrinks with how large the rows before were; a power of two, so that few statements are prepared. */
const nextSize = (size: number, bytes: number): number => {
  if (bytes > maxStatementBytes) return Math.max(1, size / 4)
  return bytes < maxStatementBytes / 4 ? Math.min(mostRows, size * 2) : size
}

/** The table, in the order of its primary key where it has one: left alone, a database may sort all rows for each page. */
const inOrder = ({ keyless, dialect }: Look, table: string): string =>
  keyless.has(table) ? `${table} AS t` : dialect.inOrderOf(`${table} AS t`, 'PRIMARY')

/** Reads one page: the rows after one, by the key and never by counting. */
const readPage = <R extends AnyRow>(
  look: Look,
  { table, columns, ordinals = [] }: Source,
  last: R | undefined,
  size: number,
): Promise<readonly R[]> => {
  const { db, supplier, only, keyless } = look
  // Without the key a number may have several accounts.
  const key = [
    number,
    ...(keyless.has(table) && ordinals.length === 0 ? ['platform_account_number'] : ordinals),
  ]
  const place = last === undefined ? [] : key.map((column) => last[column] as Knex.RawBinding)
  // Said twice, so that a database that does not look into the second condition still begins at the number.
  const since = last === undefined ? '' : ` AND t.${number} >= ? AND ${after(key)}`
  return selectRows<R>(
    db,
    `SELECT ${columns} FROM ${inOrder(look, table)} WHERE t.organisation = ? AND t.import_supplier = ?` +
      `${only === undefined ? '' : ` AND t.${number} = ?`}${since} ORDER BY ${key.map((each) => `t.${each}`).join(', ')} LIMIT ${size}`,
    [
      supplier.organisation,
      supplier.import_supplier,
      ...(only === undefined ? [] : [only]),
      ...place.slice(0, 1),
      ...(last === undefined ? [] : placesAfter(place)),
    ],
  )
}

/** Holds a page of rows at a time: few MiB, however many rows there are. */
export const cursor = <R extends AnyRow>(look: Look, source: Source): Cursor<R> => {
  let page: readonly R[] = []
  let at = 0
  let size = 16
  let isOver = false
  const current = async (): Promise<R | undefined> => {
    if (at === page.length && !isOver) {
      page = await readPage(look, source, page.at(-1), size)
      at = 0
      isOver = page.length < size
      size = nextSize(size, bytesOf(page))
    }
    return page[at]
  }
  return {
    next: async () => (await current())?.[number] as string | undefined,
    each: async (wanted, visit) => {
      for (let row = await current(); row?.[number] === wanted; row = page[at] ?? (await current())) {
        visit(row)
        at += 1
      }
    },
  }
}

/** The lowest of the numbers that the cursors are at; undefined when all are at their ends. */
export const lowestNumber = async (
  cursors: readonly Pick<Cursor<never>, 'next'>[],
): Promise<string | undefined> => {
  let lowest: string | undefined
  for (const each of cursors) {
    const next = await each.next()
    if (next !== undefined && (lowest === undefined || compareCodePoints(next, lowest) < 0)) lowest = next
  }
  return lowest
}

/**
 * Whether a number comes after all that the sources have now. A walk ends there: servers that write ascending numbers
 * beside it would otherwise always be ahead of it.
 */
export const isWrittenLater = async (
  look: Look,
  sources: readonly Source[],
): Promise<(number: string) => boolean> => {
  const { db, supplier, only } = look
  if (only !== undefined) return () => false
  const highest: string[] = []
  for (const { table } of sources) {
    const [row] = await selectRows<Readonly<{ number: string }>>(
      db,
      `SELECT t.${number} AS number FROM ${inOrder(look, table)} WHERE t.organisation = ? AND t.import_supplier = ? ` +
        `ORDER BY t.${number} DESC LIMIT 1`,
      [supplier.organisation, supplier.import_supplier],
    )
    if (row !== undefined) highest.push(row.number)
  }
  return (wanted) => highest.every((each) => compareCodePoints(wanted, each) > 0)
}
