import type { TransactionsRequest, TransactionToAdd } from '@account-import/core'
import type { RowDataPacket } from 'mysql2'
import { closedLoop, type LoadJob, type LoadResult } from '../load/jobs.js'
import { bodyTemplates, stamped } from '../workload/bodies.js'
import { names } from '../workload/kinds.js'
import { insertRows, rowsOf, type AccountKey } from './account-rows.js'
import type { Execute, InTransaction } from './database.js'

const lockAccount =
  'SELECT platform_account_number FROM accounts ' +
  'WHERE organisation = ? AND import_supplier = ? AND external_account_number = ? FOR UPDATE'

const ofAccount = 'WHERE organisation = ? AND import_supplier = ? AND platform_account_number = ?'
const firstLedger = `SELECT ordinal, last_statement_closing_date FROM ledgers ${ofAccount} ORDER BY ordinal LIMIT 1`
const lastOrdinal = `SELECT MAX(ordinal) AS last FROM transactions ${ofAccount} AND ledger_ordinal = ? AND period = 'current'`
const knownIds = (count: number): string =>
  `SELECT transaction_id FROM transactions ${ofAccount} AND transaction_id IN (${Array<string>(count).fill('?').join()})`

type AccountRow = RowDataPacket & Readonly<{ platform_account_number: string }>
type LedgerRow = RowDataPacket & Readonly<{ ordinal: number; last_statement_closing_date: string }>
type IdRow = RowDataPacket & Readonly<{ transaction_id: string }>
type LastRow = RowDataPacket & Readonly<{ last: number | null }>

type Result = Readonly<{ status: string; transaction_data: TransactionToAdd }>

const addTo = async (
  execute: Execute,
  key: AccountKey,
  transactions: readonly TransactionToAdd[],
): Promise<readonly Result[]> => {
  const keyValues = Object.values(key)
  const [ledger] = await execute<LedgerRow[]>(firstLedger, keyValues)
  const ids = transactions.map(({ transaction_id }) => transaction_id)
  const known = await execute<IdRow[]>(knownIds(ids.length), [...keyValues, ...ids])
  if (ledger === undefined) throw new Error('The account has no ledger')
  const { ordinal: ledger_ordinal, last_statement_closing_date: closed } = ledger
  const [last] = await execute<LastRow[]>(lastOrdinal, [...keyValues, ledger_ordinal])
  const seen = new Set(known.map(({ transaction_id }) => transaction_id))
  const added: TransactionToAdd[] = []
  const results = transactions.map((transaction): Result => {
    const transaction_data = { ...transaction, amount: Number(transaction.amount).toFixed(2) }
    if (seen.has(transaction.transaction_id))
      return { status: 'TRANSACTION_ALREADY_EXISTS', transaction_data }
    if (transaction.transaction_date <= closed) throw new Error('Outside the period')
    seen.add(transaction.transaction_id)
    added.push(transaction)
    return { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data }
  })
  const next = (last?.last ?? -1) + 1
  const place = { ledger_ordinal, period: 'current', line_items: [], tax_items: [] }
  const entries = added.map((each, index) => ({ ...place, ...each, ordinal: next + index }))
  await insertRows(execute, rowsOf('transactions', key, entries))
  return results
}

const addTransactions = async (inTransaction: InTransaction, body: string): Promise<number> => {
  const request = JSON.parse(body) as TransactionsRequest
  const { import_supplier, external_account_number, transactions } = request
  const { organisation } = names
  const results = await inTransaction(async (execute) => {
    const sought = [organisation, import_supplier, external_account_number]
    const [account] = await execute<AccountRow[]>(lockAccount, sought)
    const platform_account_number = account?.platform_account_number
    if (platform_account_number === undefined) return undefined
    return addTo(execute, { organisation, import_supplier, platform_account_number }, transactions)
  })
  return results === undefined ? 404 : 201
}

/** Adds the transactions that each account does not have to its first ledger, in one durable transaction. */
export const runTransactions = (inTransaction: InTransaction, job: LoadJob): Promise<LoadResult> => {
  const bodyFor = stamped(bodyTemplates('transactions', job.payload))
  return closedLoop(job, 1, async (_, index) => ({
    statuses: { [await addTransactions(inTransaction, bodyFor(index).toString())]: 1 },
  }))
}
