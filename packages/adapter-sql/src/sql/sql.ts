import type { AccountKey } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'

/** A `?` for each value of a list. */
export const placeholders = (count: number): string => Array<string>(count).fill('?').join(', ')

/** A value for each of so many values of a column. Bindings: the value of the column and what it stands for, in turns. */
export const caseOf = (column: string, count: number): string =>
  `CASE ${column}${' WHEN ? THEN ?'.repeat(count)} END`

/** Filled up to a power of two by its last member: a statement for each length is prepared on each connection. */
export const filledUp = <A>(list: readonly A[]): readonly A[] => {
  const length = 2 ** Math.ceil(Math.log2(list.length))
  return Array.from({ length }, (_, index) => list[Math.min(index, list.length - 1)] as A)
}

/** The most bytes of one statement; far below the packets that MySQL takes (16 MiB by default). */
export const maxStatementBytes = 4 * 1024 * 1024

type Limits<A> = Readonly<{ maxItems: number; maxBytes: number; bytesOf: (item: A) => number }>

/** Cuts the list into pieces within the limits; an item that alone is over them has a piece to itself. */
export const chunks = <A>(items: readonly A[], limits: Limits<A>): readonly (readonly A[])[] => {
  const pieces: A[][] = []
  let bytes = 0
  for (const item of items) {
    const size = limits.bytesOf(item)
    const piece = pieces.at(-1)
    if (piece !== undefined && piece.length < limits.maxItems && bytes + size <= limits.maxBytes) {
      piece.push(item)
      bytes += size
    } else {
      pieces.push([item])
      bytes = size
    }
  }
  return pieces
}

/** The first rows of several ranges in one order. Each of them is a SELECT that ends with `end`: that order and a LIMIT. */
export const merged = ({ limitedPart }: SqlDialect, ranges: readonly string[], end: string): string =>
  ranges.length === 1 ? ranges.join('') : `${ranges.map(limitedPart).join(' UNION ALL ')} ${end}`

/** The key of an import, of its staged data and of its e-mail. */
export const keyColumns = ['organisation', 'import_supplier', 'external_account_number'] as const

const less = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * The order in which every transaction locks imports, so that two that lock several of them never wait for each other
 * (a deadlock).
 */
export const compareKeys = (a: AccountKey, b: AccountKey): number =>
  less(a.organisation, b.organisation) ||
  less(a.importSupplier, b.importSupplier) ||
  less(a.externalAccountNumber, b.externalAccountNumber)

type Condition = Readonly<{ sql: string; bindings: readonly string[] }>

/**
 * That a row has one of the keys, in the order of the keys and filled up (`filledUp`). Written supplier by supplier: MariaDB does not
 * look up an index for a list of tuples.
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

/** That a row belongs to the import of a key. Bindings: `importKeyValues`. */
export const ofImport = keyColumns.map((column) => `${column} = ?`).join(' AND ')

export const importKeyValues = ({
  organisation,
  importSupplier,
  externalAccountNumber,
}: AccountKey): readonly string[] => [organisation, importSupplier, externalAccountNumber]

/** The members of a list by a key of theirs: the keys in the order of their first members, each group in the order of the list. */
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
