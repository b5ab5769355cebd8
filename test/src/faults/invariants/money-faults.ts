import type { AccountDetails, Ledger } from '@account-import/core'
import { itemsOf } from '../../support/items-of.js'
import { createdDetails } from './account-faults.js'
import type { Looked } from './look-at.js'
import type { Sent } from './sent.js'

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
const compared = ({ key, account, staged }: Looked, sent: Sent) => {
  if (account === undefined || staged === undefined) return []
  const there = new Set(itemsOf(account.details))
  const { settled, unanswered } = sent.additionsTo(key)
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
export const moneyFaults = (supplier: string, looked: readonly Looked[], sent: Sent): readonly string[] => {
  const accounts = looked.map((each) => ({
    name: each.key.externalAccountNumber,
    sums: compared(each, sent),
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
