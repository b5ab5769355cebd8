import { transactionsRequest } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { noParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { queryBoolean } from '../query-boolean.js'
import { transactionData } from '../transaction-data.js'
import { refusalsOf, type Done } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'
import { additionRefusals } from './addition-refusals.js'

/** Both are true when they are absent. */
const transactionsQuery = t.partial(
  { check_previously_added: queryBoolean(true), force_add_to_current_statement: queryBoolean(true) },
  'TransactionsQuery',
)

const transactionResult = t.type(
  {
    status: t.keyof({ TRANSACTION_ADDED_TO_ACCOUNT: null, TRANSACTION_ALREADY_EXISTS: null }),
    transaction_data: transactionData,
  },
  'TransactionResult',
)

/** One result for each transaction of the request, in its order. */
const addedTransactions = t.type({ results: t.readonlyArray(transactionResult) }, 'AddedTransactions')
export type AddedTransactions = t.TypeOf<typeof addedTransactions>

export const addTransactions = endpoint({
  summary:
    'Adds transactions to a created account, in their order, up to the first that fails. Those that were added before are passed over.',
  method: 'POST',
  path: '/v1/data-import/transactions/create/',
  scope: 'post-import',
  params: noParams,
  query: transactionsQuery,
  body: transactionsRequest,
  statuses: [201],
  success: addedTransactions,
  refusals: refusalsOf<'addTransactions'>({ ...additionRefusals, TransactionOutsideOpenPeriod: true }),
  answer: ({ results, warnings }: Done<'addTransactions'>): Answer<AddedTransactions, 201> => ({
    status: 201,
    headers: warningHeaders(warnings),
    body: { results },
  }),
})
