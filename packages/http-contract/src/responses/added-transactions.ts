import type { FieldError, TransactionResult } from '@account-import/core'
import * as t from 'io-ts'
import type { Answer } from '../answer.js'
import { transactionData } from './transaction-data.js'

const transactionResult = t.type(
  {
    status: t.keyof({ TRANSACTION_ADDED_TO_ACCOUNT: null, TRANSACTION_ALREADY_EXISTS: null }),
    transaction_data: transactionData,
  },
  'TransactionResult',
)

/** One result for each transaction of the request, in its order. */
export const addedTransactions = t.type({ results: t.readonlyArray(transactionResult) }, 'AddedTransactions')
export type AddedTransactions = t.TypeOf<typeof addedTransactions>

export const addedTransactionsAnswer = ({
  results,
  warnings,
}: Readonly<{
  results: readonly TransactionResult[]
  warnings: readonly FieldError[]
}>): Answer<Readonly<{ results: readonly TransactionResult[] }>> => ({
  status: 201,
  body: { results },
  warnings,
})
