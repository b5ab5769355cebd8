import { dateOf, lastDayOf } from '../calendar.js'
import type { Random } from '../random/random.js'
import type { Agreement } from '../supply/agreements.js'
import type { Contract } from '../supply/contract.js'
import { adjustmentsOf } from './adjustments.js'
import type { Bill, Ledger, Transaction } from '../bill.js'
import { euros } from './money.js'
import { inOrder, type Posting } from './posting.js'
import { charge, payment } from './postings.js'

export type LedgerPlan = Readonly<{
  contract: Contract
  agreements: readonly [Agreement, ...Agreement[]]
  bills: readonly Bill[]
  ledgerCode: string
  /** The prefix of transaction ids and payment references. */
  prefix: string
}>

const sumOf = (postings: readonly Posting[]): number => postings.reduce((sum, { effect }) => sum + effect, 0)

const numbered = (prefix: string, postings: readonly Posting[], from: number): readonly Transaction[] =>
  postings.map(({ transaction }, at) => ({
    transaction_id: `${prefix}-T${String(from + at).padStart(4, '0')}`,
    ...transaction,
  }))

/** Some systems write an amount as text. */
const balance = (random: Random, cents: number): number | string =>
  random.chance(0.2) ? (cents / 100).toFixed(2) : euros(cents)

/**
 * A ledger from its first bill on. Postings up to the last closing date are historical; both balances are exactly the sums of
 * their transactions.
 */
export const ledgerOf = (random: Random, plan: LedgerPlan): Ledger => {
  const { bills, prefix } = plan
  const last = bills.at(-1)
  if (last === undefined) return { ledger_code: plan.ledgerCode, ledger_balance: 0 }
  const closing = lastDayOf(last.month)
  const postings = inOrder([
    ...bills.map((bill) => charge(bill, plan.agreements)),
    ...bills.map((bill) => payment(random, bill, prefix)),
    ...adjustmentsOf(random, closing),
  ])
  const historical = postings.filter(({ day }) => day <= closing)
  const current = postings.filter(({ day }) => day > closing)
  const closed = sumOf(historical)
  return {
    ledger_code: plan.ledgerCode,
    last_statement_balance: balance(random, closed),
    last_statement_closing_date: dateOf(closing),
    ledger_balance: balance(random, closed + sumOf(current)),
    current_statement_transactions: numbered(prefix, current, historical.length + 1),
    historical_statement_transactions: numbered(prefix, historical, 1),
  }
}
