import type { AccountDetails } from './account-details.js'
import { type Account, transactionsOf } from './account.js'
import { isHolder } from '../values/compare.js'
import { supplyPointKey } from '../values/cups.js'

/** Counts and sums of an account; a `sum` is exact decimal text with two places. */
export type AccountFigures = Readonly<{
  /** By ledger code: `ledger_balance`, or `last_statement_balance` in a ledger without it. */
  balances: Readonly<Record<string, Readonly<{ count: number; sum: string }>>>
  /** By type. */
  transactions: AccountFigures['balances']
  statements: number
  notes: number
  supplyPoints: number
}>

const centsOf = (amount: string): bigint => BigInt(amount.replace('.', ''))

const moneyOf = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

type Sums = Map<string, { count: number; cents: bigint }>

const addTo = (sums: Sums, name: string, count: number, sum: string): void => {
  const known = sums.get(name)
  if (known === undefined) sums.set(name, { count, cents: centsOf(sum) })
  else {
    known.count += count
    known.cents += centsOf(sum)
  }
}

const summed = (sums: Sums): AccountFigures['balances'] =>
  Object.fromEntries([...sums].map(([name, { count, cents }]) => [name, { count, sum: moneyOf(cents) }]))

/** Adds up figures of many accounts. */
export const figureSums = () => {
  const [balances, transactions]: [Sums, Sums] = [new Map(), new Map()]
  const counts = { statements: 0, notes: 0, supplyPoints: 0 }
  return {
    add: (figures: AccountFigures): void => {
      for (const [code, { count, sum }] of Object.entries(figures.balances)) addTo(balances, code, count, sum)
      for (const [type, { count, sum }] of Object.entries(figures.transactions))
        addTo(transactions, type, count, sum)
      counts.statements += figures.statements
      counts.notes += figures.notes
      counts.supplyPoints += figures.supplyPoints
    },
    total: (): AccountFigures => ({
      balances: summed(balances),
      transactions: summed(transactions),
      ...counts,
    }),
  }
}

/** The figures of one account. */
export const figuresOf = (details: AccountDetails): AccountFigures => {
  const [balances, transactions]: [Sums, Sums] = [new Map(), new Map()]
  for (const { ledger_code, ledger_balance, last_statement_balance } of details.ledgers) {
    const balance = ledger_balance ?? last_statement_balance
    if (balance !== undefined) addTo(balances, ledger_code, 1, balance)
  }
  for (const { type, amount } of transactionsOf(details)) addTo(transactions, type, 1, amount)
  return {
    balances: summed(balances),
    transactions: summed(transactions),
    statements: details.statements.length,
    notes: details.notes.length,
    supplyPoints: details.supply_addresses.reduce((count, entry) => count + entry.supply_points.length, 0),
  }
}

/**
 * The details without what two equal accounts may have different. A note without a time gets the account's time of creation, which
 * a file does not have. The identifier of one supply point has several forms (`supplyPointKey`).
 */
const comparedDetails = ({ details, createdAt }: Pick<Account, 'details' | 'createdAt'>): AccountDetails => ({
  ...details,
  notes: details.notes.map((note) =>
    note.created_at === createdAt ? { ...note, created_at: '' as typeof createdAt } : note,
  ),
  supply_addresses: details.supply_addresses.map((entry) => ({
    ...entry,
    supply_points: entry.supply_points.map((point) => ({
      ...point,
      identifier: supplyPointKey(point.identifier),
    })),
  })),
})

/** The entries of a list or object that its JSON text has. */
const entriesOf = (holder: object): readonly (readonly [string, unknown])[] =>
  Object.entries(holder as Readonly<Record<string, unknown>>).filter(([, each]) => each !== undefined)

/** A list or object whose text is begun, with the entries that are left of it, the next one last. */
type Begun = Readonly<{ isList: boolean; left: (readonly [string, unknown])[] }>

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? 1 : -1

const begun = (holder: object): Begun =>
  Array.isArray(holder)
    ? { isList: true, left: entriesOf(holder).toReversed() }
    : { isList: false, left: entriesOf(holder).toSorted(byName) }

/** Most characters of a piece of text before the value that ends it. */
const pieceLength = 16_384

/**
 * The JSON text of a value with the keys of each object in order, in pieces. It needs no copy of the value: that of an account of
 * the largest size is a large part of the memory of a small server.
 */
function* piecesInKeyOrder(value: unknown): Generator<string> {
  if (!isHolder(value)) {
    yield JSON.stringify(value)
    return
  }
  const stack: Begun[] = [begun(value)]
  let text = Array.isArray(value) ? '[' : '{'
  let separator = ''
  for (let at = stack.at(-1); at !== undefined; at = stack.at(-1)) {
    const next = at.left.pop()
    if (next === undefined) {
      stack.pop()
      text += at.isList ? ']' : '}'
      separator = ','
      continue
    }
    const [name, each] = next
    text += at.isList ? separator : `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (isHolder(each)) {
      stack.push(begun(each))
      text += Array.isArray(each) ? '[' : '{'
      separator = ''
    } else text += JSON.stringify(each)
    if (text.length < pieceLength) continue
    yield text
    text = ''
  }
  yield text
}

const textInKeyOrder = (value: unknown): string => [...piecesInKeyOrder(value)].join('')

/** The pieces of `comparedText`, made one by one. */
export const comparedPieces = (account: Pick<Account, 'details' | 'createdAt'>): Iterable<string> =>
  piecesInKeyOrder(comparedDetails(account))

/** All data of an account as text, regardless of the order of keys and of the form of supply points: two accounts with the same text are equal. */
export const comparedText = (account: Pick<Account, 'details' | 'createdAt'>): string =>
  [...comparedPieces(account)].join('')

/** The most values of an account that have paths of their own; a deeper list or object is then one value. */
const mostPaths = 20_000

/** The depth at which lists and objects count as one value each, so that there are at most `mostPaths`; Infinity if there are. */
const depthOfPaths = (value: object): number => {
  let holders: readonly object[] = [value]
  let values = 0
  for (let depth = 0; holders.length > 0; depth += 1) {
    const inside: object[] = []
    for (const holder of holders) {
      const entries = entriesOf(holder)
      values += entries.length === 0 ? 1 : 0
      for (const [, each] of entries)
        if (isHolder(each)) inside.push(each)
        else values += 1
      if (depth > 0 && values + inside.length > mostPaths) return depth
    }
    holders = inside
  }
  return Infinity
}

/**
 * Every value of an account as JSON text, by its path: `customers.0.mobile`, made one by one. A list or object without entries is
 * a value; in an account with more than 20,000 values so is each list and object below the level at which there would be more.
 */
export function* valuesByPath(
  account: Pick<Account, 'details' | 'createdAt'>,
): Generator<readonly [path: string, value: string]> {
  const details = comparedDetails(account)
  const depth = depthOfPaths(details)
  const waiting: [path: string, value: unknown, level: number][] = [['', details, 0]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value, level] = next
    const entries = isHolder(value) && level < depth ? entriesOf(value) : []
    if (entries.length === 0) yield [path, textInKeyOrder(value)]
    else
      for (const [name, each] of entries.toReversed())
        waiting.push([path === '' ? name : `${path}.${name}`, each, level + 1])
  }
}
