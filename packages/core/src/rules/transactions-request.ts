import type { TransactionsRequest } from '../payloads/transactions-request.js'
import { each } from './combine.js'
import { below } from './key-path.js'
import type { Readable } from './readable.js'
import type { RuleFindings } from './rule-findings.js'
import { transactionRules } from './transactions.js'

const at = below(undefined, 'transactions')
const transactions = each(transactionRules)

/**
 * Validates each transaction by itself. Repeated ids and dates in the future are no errors here: what they mean depends
 * on the account that the transactions are added to.
 */
export const transactionsRequestRules = (
  request: Readable<TransactionsRequest>,
  findings: RuleFindings,
): void => transactions(request.transactions, at, findings)
