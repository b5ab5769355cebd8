import type { TypeOf } from 'io-ts'
import type { transaction } from '../payloads/transaction.js'
import { toMoney } from '../values/decimal.js'
import type { Transaction } from './account-details.js'

/** A transaction as it is kept: the defaults applied, its amount in canonical form. */
export const transactionFromPayload = (sent: TypeOf<typeof transaction>): Transaction => ({
  ...sent,
  amount: toMoney(sent.amount),
  line_items: sent.line_items ?? [],
  tax_items: sent.tax_items ?? [],
})
