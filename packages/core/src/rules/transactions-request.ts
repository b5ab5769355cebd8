import type { TransactionsRequest } from '../payloads/transactions-request.js'
import { each } from './combine.js'
import { below } from './place.js'
import type { Readable } from './readable.js'
import type { Report } from './report.js'
import { transactionRules } from './transactions.js'

const at = below(undefined, 'transactions')
const transactions = each(transactionRules)

/**
 * Judges each transaction by itself. Repeated ids and dates in the future are no errors here: what they mean depends
 * on the account that the transactions are added to.
 */
export const judgeTransactionsRequest = (request: Readable<TransactionsRequest>, report: Report): void =>
  transactions(request.transactions, at, report)
