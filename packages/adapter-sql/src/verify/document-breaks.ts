import { isDeepStrictEqual } from 'node:util'
import type { AccountDetails, AccountNote } from '@account-import/core'
import { partsOf, type PlacedTransaction, toMoney } from '@account-import/core/adapter-kit'
import { type AccountRow, documentIn, documentText } from '../ports/accounts.js'
import {
  contentIn,
  createdItems,
  instructionItem,
  type Item,
  type ItemKind,
  type ItemRow,
  itemText,
  keptIdentity,
  noteItem,
  statementItem,
  transactionItem,
} from '../ports/item-rows.js'
import { type DataKey, DecryptionError, isEncrypted } from '../sql/crypto.js'
import { StoredJsonError, tables } from '../sql/rows.js'
import type { Break, BreakKind } from './break-kinds.js'

/** What was found about one account, gathered by kind and table. */
export type Findings = Readonly<{
  add(kind: BreakKind, table: string, columns?: readonly string[], rows?: number): void
  all(): readonly Pick<Break, 'kind' | 'table' | 'columns' | 'rows'>[]
}>

export const findings = (): Findings => {
  const found = new Map<string, { kind: BreakKind; table: string; columns: Set<string>; rows: number }>()
  return {
    add: (kind, table, columns = [], rows = 1) => {
      const name = `${kind} ${table}`
      const known = found.get(name) ?? { kind, table, columns: new Set(), rows: 0 }
      for (const column of columns) known.columns.add(column)
      known.rows += rows
      found.set(name, known)
    },
    all: () =>
      [...found.values()].map(({ kind, table, columns, rows }) => ({
        kind,
        table,
        rows,
        ...(columns.size > 0 && { columns: [...columns] }),
      })),
  }
}

/** Undefined where a text is not what was written for its row. */
const readable = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch (cause) {
    const isChanged =
      cause instanceof DecryptionError || cause instanceof StoredJsonError || cause instanceof TypeError
    if (isChanged) return undefined
    throw cause
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The names of the fields in which two documents differ. */
const differing = (one: Fields, other: Fields): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !isDeepStrictEqual(one[name], other[name]),
  )

/** Compares the details of an account with what was staged. The texts are the same, unless a later version writes them in another order. */
const checkDocument = (
  account: AccountRow,
  dataKey: DataKey | undefined,
  written: object | undefined,
  found: Findings,
): number => {
  const text = readable(() => documentText(dataKey, account))
  const document = readable(() => documentIn(dataKey, account))
  if (text === undefined || document === undefined) {
    found.add('details_unreadable', tables.accounts)
    return 0
  }
  if (written !== undefined && text !== JSON.stringify(written)) {
    const columns = differing(written as Fields, document)
    if (columns.length > 0) found.add('document_differs', tables.accounts, columns)
  }
  return Array.isArray(document.ledgers) ? document.ledgers.length : 0
}

/** The item of a row, as it would be written. */
const itemOf = (dataKey: DataKey | undefined, row: ItemRow): Item => {
  const content = contentIn(dataKey, row)
  switch (row.kind) {
    case 'transaction':
      return transactionItem(content as PlacedTransaction, Number(row.copy))
    case 'statement':
      return statementItem(content as Item<'statement'>['content'])
    case 'note': {
      const item = noteItem({ note: content as AccountNote, isTimeGiven: row.copy !== 0 })
      return row.copy === null ? { ...item, copy: null } : item
    }
    case 'payment_instruction':
      return instructionItem(content as Item<'payment_instruction'>['content'])
  }
}

/** Money in whole cents: sums of it are exact. */
const cents = ({ content }: Item): bigint =>
  BigInt(toMoney((content as PlacedTransaction).transaction.amount).replace('.', ''))

/** Takes the items of an account one by one, in the order of their keys. */
export type ItemCheck = Readonly<{ visit(row: ItemRow): void; end(): void }>

/**
 * Compares an account and its items with what was staged, and the items with each other. `staged` is undefined where what was
 * staged is not known, and `dataKey` where nothing is encrypted.
 */
export const checkAccount = (
  account: AccountRow,
  dataKey: DataKey | undefined,
  staged: AccountDetails | undefined,
  found: Findings,
): ItemCheck => {
  const parts = staged && partsOf(staged)
  const ledgers = checkDocument(account, dataKey, parts?.document, found)
  const expected = new Map<ItemKind, Item[]>()
  for (const item of parts === undefined ? [] : createdItems(parts.items)) {
    const known = expected.get(item.kind)
    if (known === undefined) expected.set(item.kind, [item])
    else known.push(item)
  }
  const counts = new Map<ItemKind, number>()
  const copies = new Map<string, { count: number; highest: number }>()
  const sums = new Map<number | undefined, bigint>()
  const add = (item: Item, sign: bigint): void => {
    if (item.kind !== 'transaction') return
    const { ledger } = item.content as PlacedTransaction
    sums.set(ledger, (sums.get(ledger) ?? 0n) + sign * cents(item))
  }
  const visitIdentity = (row: ItemRow, item: Item): void => {
    const identity = keptIdentity(isEncrypted(row.content) ? dataKey : undefined, item.kind, item.identity)
    const copy = row.copy === null ? null : Number(row.copy)
    if (row.identity !== identity || copy !== item.copy)
      found.add('identity_differs', tables.accountItems, [row.kind])
  }
  const visitAdded = (row: ItemRow): void => {
    const item = readable(() => itemOf(dataKey, row))
    if (item === undefined) return found.add('item_unreadable', tables.accountItems, [row.kind])
    visitIdentity(row, item)
    if (item.kind !== 'transaction' || account.erased_at !== null) return
    const { ledger, period } = item.content as PlacedTransaction
    const isPlaced = ledger === undefined ? ledgers === 0 : ledger < ledgers
    if (!isPlaced || (period !== 'current' && staged !== undefined))
      found.add('item_unexpected', tables.accountItems, [row.kind])
  }
  const visitStaged = (row: ItemRow, item: Item): void => {
    if (readable(() => itemText(dataKey, row)) === JSON.stringify(item.content))
      return visitIdentity(row, item)
    const held = readable(() => itemOf(dataKey, row))
    if (held === undefined) return found.add('item_unreadable', tables.accountItems, [row.kind])
    if (!isDeepStrictEqual(held.content, item.content))
      found.add('item_differs', tables.accountItems, [row.kind])
    visitIdentity(row, item)
    add(item, -1n)
    add(held, 1n)
  }
  return {
    visit: (row) => {
      const { kind, ordinal } = row
      const count = counts.get(kind) ?? 0
      if (ordinal < count) return found.add('ordinal_twice', tables.accountItems, [kind])
      const missing = expected.get(kind)?.slice(count, ordinal) ?? []
      if (ordinal > count) found.add('ordinal_gap', tables.accountItems, [kind])
      if (missing.length > 0) found.add('item_missing', tables.accountItems, [kind], missing.length)
      for (const item of missing) add(item, -1n)
      counts.set(kind, ordinal + 1)
      if (kind === 'transaction') {
        const known = copies.get(row.identity) ?? { count: 0, highest: -1 }
        copies.set(row.identity, {
          count: known.count + 1,
          highest: Math.max(known.highest, Number(row.copy)),
        })
      }
      const item = expected.get(kind)?.[ordinal]
      if (item === undefined) visitAdded(row)
      else visitStaged(row, item)
    },
    end: () => {
      for (const [kind, items] of expected) {
        const missing = items.slice(counts.get(kind) ?? 0)
        if (missing.length > 0) found.add('item_missing', tables.accountItems, [kind], missing.length)
        for (const item of missing) add(item, -1n)
      }
      const wrong = [...copies.values()].filter(({ count, highest }) => highest !== count - 1)
      if (wrong.length > 0) found.add('copies_wrong', tables.accountItems, ['copy'], wrong.length)
      if ([...sums.values()].some((difference) => difference !== 0n))
        found.add('sum_differs', tables.accountItems)
    },
  }
}
