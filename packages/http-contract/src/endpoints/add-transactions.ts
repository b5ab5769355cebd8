import { transactionsRequest } from '@account-import/core'
import * as t from 'io-ts'
import { noParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { queryBoolean } from '../query-boolean.js'
import { addedTransactions } from '../responses/added-transactions.js'

/** Both are true when they are absent. */
const transactionsQuery = t.partial(
  { check_previously_added: queryBoolean(true), force_add_to_current_statement: queryBoolean(true) },
  'TransactionsQuery',
)
export type TransactionsQuery = t.TypeOf<typeof transactionsQuery>

export const addTransactions = endpoint({
  name: 'add-transactions',
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
})
