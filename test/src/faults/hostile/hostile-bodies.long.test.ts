import test from 'ava'
import { E } from '@account-import/core/fp'
import { checkAccountPayload } from '@account-import/core/payloads'
import { accountWith, contextWith, findInAccount } from '../../validation/support.js'
import { readFileSync } from 'node:fs'
import { hostileBodies } from './bodies/index.js'
import { bodyLimit, times } from './bodies/make.js'

/** The processor time of this thread, where the system reports it; else that of the whole process. */
const threadMilliseconds = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1_000_000
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/**
 * Runs work synchronously, and returns the milliseconds of processor time of the event loop: without other processes and the
 * threads for garbage collection and compilation.
 */
const timeOnLoop = <A>(run: () => A): Readonly<{ result: A; milliseconds: number }> => {
  const before = threadMilliseconds()
  const result = run()
  return { result, milliseconds: threadMilliseconds() - before }
}

/** The processor time, in milliseconds, for parsing the text on the machine of the limits. */
const onReference = 11

const accounts = JSON.stringify(
  times(20_000, (index) => ({ id: `T-${index}`, amount: index / 100, type: 'CREDIT', items: [] })),
)

/** The factor by which this machine is slower than the machine of the limits; at least 1. */
const timesSlower = Math.max(
  1,
  Math.min(...times(10, () => timeOnLoop(() => JSON.parse(accounts) as unknown).milliseconds)) / onReference,
)

/**
 * The longest delay of the event loop for validating any body: over twice the worst of half a second, on a machine like the one
 * that this was measured on; slower ones have as much longer as they take for parsing JSON.
 */
const mostMilliseconds = 1200 * timesSlower

// One after the other, each without a pause: nothing else runs on this thread meanwhile. Lists fill a quarter of a body, and a
// whole one in long runs (`support/properties.js`).
for (const [name, make] of Object.entries(hostileBodies))
  test.serial(`${name}: validation takes time that grows with its size, with a bounded report`, (t) => {
    const body = make()
    t.true(Buffer.byteLength(body) <= bodyLimit)
    let best = Infinity
    // A slow validation is repeated, because the processor may have been slow.
    for (let made = 0; made < 4 && best > mostMilliseconds / 2; made += 1) {
      const payload = JSON.parse(body) as unknown
      const { result, milliseconds } = timeOnLoop(() => checkAccountPayload(payload, contextWith()))
      const { errors = [], warnings } = E.isLeft(result) ? result.left : { warnings: result.right.warnings }
      t.true(errors.length <= 1001 && warnings.length <= 1001)
      best = Math.min(best, milliseconds)
    }
    t.log(`${Math.round(best)} ms`)
    t.true(best < mostMilliseconds, `${Math.round(best)} ms`)
  })

const nested = (levels: number): object => times(levels, () => 0).reduce<object>((a) => ({ a }), {})

for (const [place, fields, found] of [
  [
    'in a free object',
    { metadata: [{ key: 'k', value: nested(400_000) }] },
    `metadata.0.value${'.a'.repeat(32)} invalid`,
  ],
  ['in place of an object', { customers: [nested(400_000)] }, 'customers.0.a unknown_field'],
] as const)
  test(`deep nesting ${place}, which no request can have, is validated without descending into it`, (t) => {
    const { errors, warnings } = findInAccount(fields)
    t.deepEqual([...errors, ...warnings], [found])
  })

test('findings above the limit are dropped by their place, not by the order in which they are found', (t) => {
  const transactions = times(2000, () => ({ type: 'CREDIT', transaction_id: 'T' }))
  const lists = times(10, () => ({ current_statement_transactions: transactions }))
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
