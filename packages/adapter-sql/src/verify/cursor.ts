import { compareCodePoints } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { maxStatementBytes } from '../statements/chunks.js'
import { selectRows } from '../statements/select-rows.js'
import type { Look } from './look.js'

type AnyRow = Readonly<Record<string, unknown>>

/** What is read, in the order of a key that begins with organisation and supplier. */
export type Source = Readonly<{
  columns: string
  /** The tables; the first one is `t`. */
  from: string
  /** What the key has after organisation and supplier; the rows are walked over by the first of them. */
  key: readonly [number: string, ...ordinals: string[]]
}>

/** Goes through rows once, from the first to the last. */
export type Cursor<R> = Readonly<{
  /** The number of the next row; undefined at the end. */
  next(): Promise<string | undefined>
  /** Visits the next rows, as long as they have this number. */
  each(number: string, visit: (row: R) => void): Promise<void>
}>

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

/** Reads one page: the rows after one, by the key and never by counting. */
const readPage = <R extends AnyRow>(
  { db, supplier, only }: Look,
  { columns, from, key }: Source,
  last: R | undefined,
  size: number,
): Promise<readonly R[]> => {
  const [number] = key
  const place = last === undefined ? [] : key.map((column) => last[column] as Knex.RawBinding)
  // Said twice, so that a database that does not look into the second condition still begins at the number.
  const since = last === undefined ? '' : ` AND t.${number} >= ? AND ${after(key)}`
  return selectRows<R>(
    db,
    `SELECT ${columns} FROM ${from} WHERE t.organisation = ? AND t.import_supplier = ?` +
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
  const [number] = source.key
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
    const number = await each.next()
    if (number !== undefined && (lowest === undefined || compareCodePoints(number, lowest) < 0))
      lowest = number
  }
  return lowest
}

const highestOf = async (
  { db, supplier }: Look,
  { from, key: [number] }: Source,
): Promise<string | undefined> => {
  const [row] = await selectRows<Readonly<{ number: string }>>(
    db,
    `SELECT t.${number} AS number FROM ${from} WHERE t.organisation = ? AND t.import_supplier = ? ` +
      `ORDER BY t.${number} DESC LIMIT 1`,
    [supplier.organisation, supplier.import_supplier],
  )
  return row?.number
}

/**
 * Whether a number comes after all that the sources have now. A walk ends there: servers that write ascending numbers
 * beside it would otherwise always be ahead of it.
 */
export const isWrittenLater = async (
  look: Look,
  sources: readonly Source[],
): Promise<(number: string) => boolean> => {
  if (look.only !== undefined) return () => false
  const highest: string[] = []
  for (const source of sources) {
    const number = await highestOf(look, source)
    if (number !== undefined) highest.push(number)
  }
  return (number) => highest.every((each) => compareCodePoints(number, each) > 0)
}
