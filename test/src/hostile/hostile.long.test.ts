import test from 'ava'
import { checkAccountPayload, E } from '@account-import/core/adapter-kit'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { accountWith, contextWith, findInAccount } from '../validation/support.js'
import { hostileBodies, type Measured } from './index.js'
import { bodyLimit } from './make.js'

/**
 * What validating any body may take of the event loop: over twice the worst of half a second, on a machine like the one
 * that this was measured on; slower ones have as much longer as they take for parsing JSON.
 */
const mostMilliseconds = 1200

const main = fileURLToPath(new URL('main.js', import.meta.url))

type Line = Measured & Readonly<{ name: string; timesSlower: number }>

let measured: ReadonlyMap<string, Line> = new Map()

test.before(async (t) => {
  t.timeout(600_000)
  const { stdout } = await promisify(execFile)(process.execPath, [main], { maxBuffer: bodyLimit })
  const lines = stdout.trim().split('\n')
  measured = new Map(lines.map((line) => JSON.parse(line) as Line).map((body) => [body.name, body]))
})

for (const name of Object.keys(hostileBodies))
  test(`${name}: validated in time that grows with its size, with a bounded report`, (t) => {
    const {
      best = Infinity,
      bytes = Infinity,
      errors = Infinity,
      timesSlower = 0,
      warnings = Infinity,
    } = measured.get(name) ?? {}
    t.true(bytes <= bodyLimit)
    t.true(errors <= 1001 && warnings <= 1001)
    t.true(best < mostMilliseconds * timesSlower, `${Math.round(best)} ms`)
  })

test('the worst of all bodies is known', (t) => {
  const worst = [...measured].toSorted(([, a], [, b]) => b.best - a.best).slice(0, 5)
  t.log(
    worst
      .map(([name, { best, parse }]) => `${name}: ${Math.round(best)} ms, parsed in ${Math.round(parse)} ms`)
      .join('; '),
  )
  t.is(measured.size, Object.keys(hostileBodies).length)
})

const nested = (levels: number): object => {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

for (const [place, fields, found] of [
  [
    'in a free object',
    { metadata: [{ key: 'k', value: nested(400_000) }] },
    `metadata.0.value${'.a'.repeat(32)} invalid`,
  ],
  ['where an object belongs', { customers: [nested(400_000)] }, 'customers.0.a unknown_field'],
] as const)
  test(`deep nesting ${place}, which no request can have, is validated without descending into it`, (t) => {
    const { errors, warnings } = findInAccount(fields)
    t.deepEqual([...errors, ...warnings], [found])
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
