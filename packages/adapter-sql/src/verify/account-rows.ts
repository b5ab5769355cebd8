import type { Row } from '../rows/row.js'
import { tables } from '../rows/tables.js'
import { noLedger } from '../rows/transactions.js'
import { hasItsIdentity, isReadable, mayBeAdded } from './added-row.js'
import { copyNumbers } from './copy-numbers.js'
import { differingColumns, isAmount } from './differing-columns.js'
import { partTables, placeOf, type PartTable } from '../rows/part-tables.js'
import type { RowFindings } from './row-findings.js'
import { stagedSums } from './staged-sums.js'

type AnyRow = Readonly<Record<string, unknown>>

/** The rows that an account was created with, by table; undefined where what was staged is not known. */
export type WrittenRows = ReadonlyMap<string, readonly Row[]> | undefined

/** Takes the rows of an account one by one, in the order of their keys, table after table. */
export type AccountRows = Readonly<{
  visit(part: PartTable, row: AnyRow): void
  /** When all were visited. */
  end(): void
}>

const identityColumns: ReadonlySet<string> = new Set(['content_digest', 'identity_time'])

/** The columns that matter: a note of a server before there were identities has none. */
const compared = (columns: readonly string[], held: AnyRow): readonly string[] =>
  held['content_digest'] === null ? columns.filter((column) => !identityColumns.has(column)) : columns

/** Tells whether the places of lists are counted from 0 on. */
const places = (findings: RowFindings) => {
  let list = ''
  let last = -1
  return ({ table, ordinals }: PartTable, row: AnyRow): void => {
    const its = `${table} ${placeOf(row, ordinals.slice(0, -1))}`
    const ordinal = Number(row[ordinals.at(-1) ?? ''])
    if (its !== list) last = -1
    if (its === list && ordinal === last) findings.add('ordinal_twice', table)
    else if (ordinal !== last + 1) findings.add('ordinal_gap', table)
    list = its
    last = ordinal
  }
}

/** Tells whether the row that another one belongs to is there. */
const parents = () => {
  const there = new Map<string, Set<string>>()
  const asked = new Set(partTables.flatMap(({ parent }) => parent?.table ?? []))
  const hasParent = ({ parent }: PartTable, row: AnyRow): boolean => {
    if (parent === undefined) return true
    const known = there.get(parent.table)
    // Transactions belong to no ledger where the account has none.
    if (parent.table === tables.ledgers && Number(row['ledger_ordinal']) === noLedger)
      return known === undefined
    return known?.has(placeOf(row, parent.by)) === true
  }
  return (part: PartTable, row: AnyRow): boolean => {
    if (asked.has(part.table)) {
      const known = there.get(part.table) ?? new Set()
      there.set(part.table, known.add(placeOf(row, part.ordinals)))
    }
    return hasParent(part, row)
  }
}

const byPlace = (written: readonly Row[], { ordinals }: PartTable): Map<string, Row> =>
  new Map(written.map((row) => [placeOf(row, ordinals), row]))

/** Compares the rows of an account with what was staged, and with each other. */
export const accountRows = (written: WrittenRows, findings: RowFindings): AccountRows => {
  const left = new Map(partTables.map((part) => [part.table, byPlace(written?.get(part.table) ?? [], part)]))
  const sums = stagedSums()
  for (const row of written?.get(tables.transactions) ?? []) sums.staged(row)
  const copies = copyNumbers()
  const place = places(findings)
  const hasParent = parents()
  const compare = (table: string, expected: Row, row: AnyRow): void => {
    const columns = compared(differingColumns(expected, row), row)
    const money = columns.filter(isAmount)
    if (money.length > 0) findings.add('amount_differs', table, money)
    if (columns.length > money.length)
      findings.add(
        'row_differs',
        table,
        columns.filter((each) => !isAmount(each)),
      )
    if (table === tables.transactions) sums.held(row)
  }
  const visitAdded = (table: string, row: AnyRow): void => {
    if (!mayBeAdded(table, row) && written !== undefined) findings.add('row_unexpected', table)
    if (!isReadable(table, row)) findings.add('row_unreadable', table)
    else if (table === tables.notes && !hasItsIdentity(row)) findings.add('note_digest_differs', table)
  }
  return {
    visit: (part, row) => {
      const { table } = part
      place(part, row)
      if (!hasParent(part, row)) findings.add('row_without_parent', table)
      if (table === tables.transactions) copies.visit(row)
      const name = placeOf(row, part.ordinals)
      const expected = left.get(table)?.get(name)
      if (expected === undefined) return visitAdded(table, row)
      left.get(table)?.delete(name)
      compare(table, expected, row)
      if (table === tables.notes && isReadable(table, row) && !hasItsIdentity(row))
        findings.add('note_digest_differs', table)
    },
    end: () => {
      for (const [table, rows] of left) if (rows.size > 0) findings.add('row_missing', table, [], rows.size)
      sums.compare(findings)
      copies.compare(findings)
    },
  }
}
