import { transactionsRequest } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { noParams, queryBoolean } from '../address-params.js'
import type { Answer } from '../call.js'
import { type AddedTransactions, addTransactionsCall } from '../calls/add-transactions.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'
import { additionRefusals } from './addition-refusals.js'

/** Both are true when they are absent. */
const transactionsQuery = t.partial(
  { check_previously_added: queryBoolean(true), force_add_to_current_statement: queryBoolean(true) },
  'TransactionsQuery',
)

export const addTransactions = endpoint({
  ...addTransactionsCall,
  summary:
    'Adds transactions to a created account, in their order, up to the first that fails. Those that were added before are passed over.',
  params: noParams,
  query: transactionsQuery,
  body: transactionsRequest,
  refusals: refusalsOf<'addTransactions'>({
    ...additionRefusals,
    TransactionOutsideOpenPeriod: true,
    IdempotencyKeyInProgress: true,
  }),
  answer: ({ results, warnings }: Done<'addTransactions'>): Answer<AddedTransactions, 201> => ({
    status: 201,
    headers: warningHeaders(warnings),
    body: { results },
  }),
})
