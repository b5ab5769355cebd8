import type { TransactionsRequest, TransactionToAdd } from '@account-import/core'
import type { RowDataPacket } from 'mysql2'
import { closedLoop, type LoadJob, type LoadResult } from '../load/jobs.js'
import { bodyTemplates, stamped } from '../workload/bodies.js'
import { names } from '../workload/kinds.js'
import { insertRows, itemRows, type AccountKey } from './account-document.js'
import type { Execute, InTransaction } from './database.js'

const ofAccount = 'WHERE organisation = ? AND import_supplier = ? AND external_account_number = ?'
const lockAccount = `SELECT details FROM accounts ${ofAccount} FOR UPDATE`
const lastOrdinal = `SELECT MAX(ordinal) AS last FROM account_items ${ofAccount} AND kind = 'transaction'`
const knownIds = (count: number): string =>
  `SELECT identity FROM account_items ${ofAccount} AND kind = 'transaction' ` +
  `AND identity IN (${Array<string>(count).fill('?').join()})`

type AccountRow = RowDataPacket & Readonly<{ details: string }>
type IdRow = RowDataPacket & Readonly<{ identity: string }>
type LastRow = RowDataPacket & Readonly<{ last: number | null }>

type Details = Readonly<{ ledgers: readonly Readonly<{ last_statement_closing_date: string }>[] }>

type Result = Readonly<{ status: string; transaction_data: TransactionToAdd }>

const addTo = async (
  execute: Execute,
  key: AccountKey,
  details: string,
  transactions: readonly TransactionToAdd[],
): Promise<readonly Result[]> => {
  const keyValues = Object.values(key)
  const [ledger] = (JSON.parse(details) as Details).ledgers
  const ids = transactions.map(({ transaction_id }) => transaction_id)
  const known = await execute<IdRow[]>(knownIds(ids.length), [...keyValues, ...ids])
  if (ledger === undefined) throw new Error('The account has no ledger')
  const { last_statement_closing_date: closed } = ledger
  const [last] = await execute<LastRow[]>(lastOrdinal, keyValues)
  const seen = new Set(known.map(({ identity }) => identity))
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
  const items = added.map((transaction, index) => ({
    kind: 'transaction',
    ordinal: next + index,
    identity: transaction.transaction_id,
    copy: 0,
    content: { ledger: 0, period: 'current', transaction },
  }))
  await insertRows(execute, itemRows(key, items))
  return results
}

const addTransactions = async (inTransaction: InTransaction, body: string): Promise<number> => {
  const request = JSON.parse(body) as TransactionsRequest
  const { import_supplier, external_account_number, transactions } = request
  const { organisation } = names
  const results = await inTransaction(async (execute) => {
    const key = { organisation, import_supplier, external_account_number }
    const [account] = await execute<AccountRow[]>(lockAccount, Object.values(key))
    return account && addTo(execute, key, account.details, transactions)
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
