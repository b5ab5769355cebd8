import type { Account, AccountDetails, AccountPayload, Ledger } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/testing'
import { isDeepStrictEqual } from 'node:util'
import { itemFaultsByKind } from '../../support/item-faults.js'
import { itemsOf } from '../../support/items-of.js'
import type { Looked } from './look-at.js'
import type { Tally } from '../loads/tally.js'

/** What the account was created with, by the data that it was created from. */
const createdDetails = (account: Account, payload: string): AccountDetails =>
  accountFromPayload(JSON.parse(payload) as AccountPayload, account.createdAt)

/** The account without what was added to it, which comes after what it was created with. */
const withoutAdditions = (stored: AccountDetails, created: AccountDetails): AccountDetails => ({
  ...stored,
  notes: stored.notes.slice(0, created.notes.length),
  ledgers: stored.ledgers.map((ledger, place) => ({
    ...ledger,
    current_statement_transactions: ledger.current_statement_transactions.slice(
      0,
      created.ledgers[place]?.current_statement_transactions.length ?? 0,
    ),
  })),
  transactions_without_ledger: [],
  statements: stored.statements.slice(0, created.statements.length),
  payment_instructions: [],
})

/** What is wrong with what a created account holds: whole, each addition once, and nothing that nobody sent. */
export const accountFaults = ({ key, account, staged }: Looked, tally: Tally): readonly string[] => {
  if (account === undefined || staged === undefined) return []
  const { externalAccountNumber: number } = key
  const created = createdDetails(account, staged.payload)
  const isWhole = isDeepStrictEqual(withoutAdditions(account.details, created), created)
  const items = { created: itemsOf(created), ...tally.additionsTo(key) }
  const { lost, doubled, other } = itemFaultsByKind(number, account.details, items)
  return [
    ...(isWhole ? [] : [`I3: ${number}: not what it was created from`]),
    ...lost.map((fault) => `I2: ${fault}`),
    ...doubled.map((fault) => `I5: ${fault}`),
    ...other.map((fault) => `I3: ${fault}`),
  ]
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** Stored amounts have two places. */
const centsOf = (transactions: readonly Readonly<{ amount: string }>[]): bigint =>
  sum(transactions.map(({ amount }) => BigInt(amount.replace('.', ''))))

const ofLedger = (ledger: Ledger): bigint =>
  centsOf([...ledger.current_statement_transactions, ...ledger.historical_statement_transactions])

/** What the ledgers of an account come to, and then what belongs to none. */
const sumsOf = ({ ledgers, transactions_without_ledger: others }: AccountDetails): readonly bigint[] => [
  ...ledgers.map(ofLedger),
  centsOf(others),
]

/** For each ledger of an account what it comes to, and what was sent; of what was not answered, what is there. */
const compared = ({ key, account, staged }: Looked, tally: Tally) => {
  if (account === undefined || staged === undefined) return []
  const there = new Set(itemsOf(account.details))
  const { settled, unanswered } = tally.additionsTo(key)
  const added = [...settled, ...unanswered.filter(({ items: [first = ''] }) => there.has(first))]
  const expected = sumsOf(createdDetails(account, staged.payload))
  const first = sum(added.map(({ cents }) => cents))
  return sumsOf(account.details).map((stored, place) => ({
    stored,
    expected: (expected[place] ?? 0n) + (place === 0 ? first : 0n),
  }))
}

const unequal = (name: string, sums: readonly Readonly<{ stored: bigint; expected: bigint }>[]) => {
  const stored = sum(sums.map((each) => each.stored))
  const expected = sum(sums.map((each) => each.expected))
  return stored === expected ? [] : [`I6: ${name} holds ${stored} cents, sent were ${expected}`]
}

/** Where money is missing or too much: in each ledger, each account, and the supplier as a whole. */
export const moneyFaults = (supplier: string, looked: readonly Looked[], tally: Tally): readonly string[] => {
  const accounts = looked.map((each) => ({
    name: each.key.externalAccountNumber,
    sums: compared(each, tally),
  }))
  return [
    ...accounts.flatMap(({ name, sums }) =>
      sums.flatMap((each, place) => unequal(`${name}, ledger ${place}`, [each])),
    ),
    ...accounts.flatMap(({ name, sums }) => unequal(name, sums)),
    ...unequal(
      supplier,
      accounts.flatMap(({ sums }) => sums),
    ),
  ]
}
