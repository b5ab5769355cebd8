import { readFileSync } from 'node:fs'
import type { TransactionsRequest } from '@account-import/core'
import { names, numberTemplate } from './names.js'
import { placeholder } from './stamp.js'

/** Transactions of one request. */
const transactionsPerRequest = 1000

const sample = new URL('../../../examples/samples/transactions.json', import.meta.url)

/** Those of the sample again and again, with ids of their own; on days that lie in the open statement periods. */
const bodyFor = (kind: number): string => {
  const { transactions } = JSON.parse(readFileSync(sample, 'utf8')) as TransactionsRequest
  return JSON.stringify({
    import_supplier: names.supplier,
    external_account_number: numberTemplate(kind),
    transactions: Array.from({ length: transactionsPerRequest }, (_, place) => ({
      ...transactions[place % transactions.length],
      transaction_id: `LEV-${placeholder}-N-${place}`,
      transaction_date: '2025-08-15',
    })),
  })
}

/** The requests that add transactions to an account of each kind, about 300 KB each. */
export const transactionPayloads = (): readonly string[] => [bodyFor(0), bodyFor(1)]
