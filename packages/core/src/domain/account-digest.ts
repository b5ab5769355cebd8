import type { AccountDetails } from './account-details.js'
import { type Account, transactionsOf } from './account.js'

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

/** A note without a time gets the account's time of creation, which a file does not have, so this time is not compared. */
const withoutDefaultTimes = ({
  details,
  createdAt,
}: Pick<Account, 'details' | 'createdAt'>): AccountDetails => ({
  ...details,
  notes: details.notes.map((note) =>
    note.created_at === createdAt ? { ...note, created_at: '' as typeof createdAt } : note,
  ),
})

type Leaf = readonly [path: string, value: string]

const leavesIn = (value: unknown, path: string): readonly Leaf[] => {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]]
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  if (entries.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']]
  return entries.flatMap(([name, each]) => leavesIn(each, path === '' ? name : `${path}.${name}`))
}

/** The same JSON value with the keys of each object in order. A key `__proto__` is kept too. */
const inKeyOrder = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inKeyOrder)
  const names = Object.keys(value).sort()
  const ordered: Record<string, unknown> = {}
  for (const name of names) {
    const each = inKeyOrder((value as Readonly<Record<string, unknown>>)[name])
    if (name === '__proto__') Object.defineProperty(ordered, name, { value: each, enumerable: true })
    else ordered[name] = each
  }
  return ordered
}

/** All data of an account as text, regardless of the order of keys: two accounts with the same text are equal. */
export const comparedText = (account: Pick<Account, 'details' | 'createdAt'>): string =>
  JSON.stringify(inKeyOrder(withoutDefaultTimes(account)))

/** Every value of an account as JSON text, by its path: `customers.0.mobile`. A list or object without entries is a value. */
export const valuesByPath = (account: Pick<Account, 'details' | 'createdAt'>): ReadonlyMap<string, string> =>
  new Map(leavesIn(withoutDefaultTimes(account), ''))
