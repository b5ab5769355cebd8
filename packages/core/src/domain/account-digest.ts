import type { AccountDetails, Transaction } from './account-details.js'
import type { Account } from './account.js'

/** A count, and the exact sum of amounts as decimal text with two places. */
export type Summed = Readonly<{ count: number; sum: string }>

/** Counts and sums of an account. */
export type AccountFigures = Readonly<{
  /** By ledger code, balances of ledgers that have one. */
  balances: Readonly<Record<string, Summed>>
  /** By type. */
  transactions: Readonly<Record<string, Summed>>
  statements: number
  notes: number
  supplyPoints: number
}>

const centsOf = (amount: string): bigint => BigInt(amount.replace('.', ''))

const moneyOf = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Adds up figures of many accounts. */
export const figureSums = () => {
  const sums = {
    balances: new Map<string, { count: number; cents: bigint }>(),
    transactions: new Map<string, { count: number; cents: bigint }>(),
  }
  const counts = { statements: 0, notes: 0, supplyPoints: 0 }
  const addTo = (kind: keyof typeof sums, figures: Readonly<Record<string, Summed>>): void => {
    for (const [name, { count, sum }] of Object.entries(figures)) {
      const known = sums[kind].get(name) ?? { count: 0, cents: 0n }
      known.count += count
      known.cents += centsOf(sum)
      sums[kind].set(name, known)
    }
  }
  const figuresOfKind = (kind: keyof typeof sums): Readonly<Record<string, Summed>> =>
    Object.fromEntries(
      [...sums[kind]].map(([name, { count, cents }]) => [name, { count, sum: moneyOf(cents) }]),
    )
  return {
    add: (figures: AccountFigures): void => {
      addTo('balances', figures.balances)
      addTo('transactions', figures.transactions)
      counts.statements += figures.statements
      counts.notes += figures.notes
      counts.supplyPoints += figures.supplyPoints
    },
    total: (): AccountFigures => ({
      balances: figuresOfKind('balances'),
      transactions: figuresOfKind('transactions'),
      ...counts,
    }),
  }
}

const none: AccountFigures = { balances: {}, transactions: {}, statements: 0, notes: 0, supplyPoints: 0 }

const transactionsOf = ({ ledgers, transactions_without_ledger }: AccountDetails): readonly Transaction[] => [
  ...ledgers.flatMap((ledger) => [
    ...ledger.current_statement_transactions,
    ...ledger.historical_statement_transactions,
  ]),
  ...transactions_without_ledger,
]

/** The figures of one account. */
export const figuresOf = (details: AccountDetails): AccountFigures => {
  const sums = figureSums()
  for (const { ledger_code, ledger_balance: sum } of details.ledgers)
    if (sum !== undefined) sums.add({ ...none, balances: { [ledger_code]: { count: 1, sum } } })
  for (const { type, amount: sum } of transactionsOf(details))
    sums.add({ ...none, transactions: { [type]: { count: 1, sum } } })
  return {
    ...sums.total(),
    statements: details.statements.length,
    notes: details.notes.length,
    supplyPoints: details.supply_addresses.reduce((count, entry) => count + entry.supply_points.length, 0),
  }
}

/** A note that was sent without a time has that of the account, which the file does not know. */
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

/** A text of everything that an account consists of, whatever the order of keys: two accounts with the same text are equal. */
export const comparedText = (account: Pick<Account, 'details' | 'createdAt'>): string =>
  JSON.stringify(
    [...leavesIn(withoutDefaultTimes(account), '')].sort(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Every value of an account as JSON text, by its path: `customers.0.mobile`. A list or object without entries is a value. */
export const valuesByPath = (account: Pick<Account, 'details' | 'createdAt'>): ReadonlyMap<string, string> =>
  new Map(leavesIn(withoutDefaultTimes(account), ''))
