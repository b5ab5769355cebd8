import type { LocalDate, TransactionToAdd } from '@account-import/core'
import type { TransactionFacts } from '@account-import/core/testing'

/** The day on which the cases are validated. */
export const today = '2025-09-01' as LocalDate

export const day = (text: string): LocalDate => text as LocalDate

/** A ledger that was closed on a day, or never. */
export const ledger = (ledgerCode: string, closed?: string): TransactionFacts['ledgers'][number] => ({
  ledgerCode,
  lastStatementClosingDate: closed === undefined ? undefined : day(closed),
})

/** An account whose first ledger is open since 2025-05-01, its second since 2025-07-01. */
export const facts = (changed: Partial<TransactionFacts> = {}): TransactionFacts => ({
  ledgers: [ledger('GAS', '2025-04-30'), ledger('POWER', '2025-06-30')],
  firstDay: day('2024-01-01'),
  timesAdded: new Map(),
  ...changed,
})

/** A transaction of 2025-08-01, in both periods. */
export const aTransaction = (id: string, changed: object = {}): TransactionToAdd => ({
  transaction_id: id,
  transaction_date: day('2025-08-01'),
  amount: 10,
  type: 'CREDIT',
  reason: 'R',
  ...changed,
})
