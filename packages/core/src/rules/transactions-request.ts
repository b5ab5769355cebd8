import type { TransactionsRequest } from '../payloads/transactions-request.js'
import { each } from './combine.js'
import { below } from './place.js'
import type { Readable } from './readable.js'
import type { Report } from './report.js'
import { transactionRules } from './transactions.js'

const at = below(undefined, 'transactions')
const transactions = each(transactionRules)

/**
 * Sections 7.1 and 7.3, T: each transaction for itself. Repeated ids and dates in the future are no failures here
 * (section 6): the account decides about them.
 */
export const judgeTransactionsRequest = (request: Readable<TransactionsRequest>, report: Report): void =>
  transactions(request.transactions, at, report)
