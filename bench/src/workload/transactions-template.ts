import { readFileSync } from 'node:fs'
import type { TransactionsRequest } from '@account-import/core'
import { names, numberTemplate } from './names.js'
import { placeholder } from './stamp.js'

/** Transactions of one request. */
const transactionsPerRequest = 1000

const sample = new URL('../../../examples/samples/transactions.json', import.meta.url)

/**
 * The request that adds transactions to an account, about 300 KB: those of the sample again and again, with ids of
 * their own; on days that lie in the open statement periods.
 */
export const transactionsTemplate = (): string => {
  const { transactions } = JSON.parse(readFileSync(sample, 'utf8')) as TransactionsRequest
  return JSON.stringify({
    import_supplier: names.supplier,
    external_account_number: numberTemplate,
    transactions: Array.from({ length: transactionsPerRequest }, (_, place) => ({
      ...transactions[place % transactions.length],
      transaction_id: `LEV-${placeholder}-N-${place}`,
      transaction_date: '2025-08-15',
    })),
  })
}
