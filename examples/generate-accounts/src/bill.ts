import type { AccountPayload } from '@account-import/core'

export type Ledger = NonNullable<AccountPayload['ledgers']>[number]
export type Transaction = NonNullable<Ledger['current_statement_transactions']>[number]
export type LineItem = NonNullable<Transaction['line_items']>[number]
export type TaxItem = NonNullable<Transaction['tax_items']>[number]

/** One month of supply as it was billed; `cents` is the sum of its line and tax items. */
export type Bill = Readonly<{
  month: number
  kwh: number
  lines: readonly LineItem[]
  taxes: readonly TaxItem[]
  cents: number
}>
