import * as t from 'io-ts'
import { call } from '../call.js'
import { transactionData } from '../transaction-data.js'

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

export const addTransactionsCall = call({
  method: 'POST',
  path: '/v1/data-import/transactions/create/',
  scope: 'post-import',
  statuses: [201],
  success: addedTransactions,
})
