import test from 'ava'
import { checkAccountPayload, E } from '@account-import/core'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { accountWith, contextWith, findInAccount } from '../validation/support.js'
import { hostileAccounts } from './accounts.js'
import type { Measured } from './main.js'

const main = fileURLToPath(new URL('main.js', import.meta.url))

let measured: Readonly<Record<string, Measured>> = {}

test.before(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main])
  measured = JSON.parse(stdout) as typeof measured
})

for (const name of Object.keys(hostileAccounts))
  test(`${name}: judged in time that grows with its size, with a bounded report`, (t) => {
    const { milliseconds = Infinity, errors = 0, warnings = Infinity } = measured[name] ?? {}
    t.true(errors > 0 && errors <= 1001 && warnings <= 1001)
    t.true(milliseconds < 2500, `${Math.round(milliseconds)} ms`)
  })

test('entries that come too late are dropped, and what comes first is reported even if it is found last', (t) => {
  const transactions = (length: number) =>
    Array.from({ length }, () => ({ type: 'CREDIT', transaction_id: 'T' }))
  const lists = Array.from({ length: 20 }, () => ({ current_statement_transactions: transactions(2000) }))
  const checked = checkAccountPayload(
    accountWith({ ledgers: lists, notes: [{}], customers: [], statements: [null] }),
    contextWith(),
  )
  t.true(E.isLeft(checked))
  if (!E.isLeft(checked)) return
  const { errors, warnings } = checked.left
  const inShort = ({ attr, code }: (typeof errors)[number]): string => `${attr} ${code}`
  t.deepEqual(errors.slice(0, 6).map(inShort), [
    'customers empty',
    'notes.0 note_body_or_document_path_not_found',
    'ledgers.0.ledger_code required',
    'ledgers.0.current_statement_transactions.0.transaction_date required',
    'ledgers.0.current_statement_transactions.0.amount required',
    'ledgers.0.current_statement_transactions.1.transaction_id duplicate_transaction_ids',
  ])
  t.is(errors.length, 1001)
  t.deepEqual(errors.slice(-2).map(inShort), [
    'ledgers.0.current_statement_transactions.332.transaction_date required',
    ' too_many_errors',
  ])
  t.deepEqual(warnings.slice(-2).map(inShort), [
    'ledgers.0.current_statement_transactions.999.reason transaction_reason_missing',
    ' too_many_warnings',
  ])
})

test('nothing of a payload reaches the prototype of objects', (t) => {
  findInAccount(
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object,
  )
  t.is(({} as Record<string, unknown>)['polluted'], undefined)
})
