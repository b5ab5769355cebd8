import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { E, type Either } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { unreadable } from '../account-files/input/source.js'

const count = t.refinement(t.number, (value) => Number.isSafeInteger(value) && value >= 0, 'count')
const money = t.refinement(
  t.string,
  (text) => /^-?(?:0|[1-9]\d*)\.\d\d$/.test(text) && text !== '-0.00',
  'money',
)

const summed = t.exact(t.partial({ count, sum: money }))

/** Totals that the old system says: all of them may be left out. Money is text with two places. */
const controls = t.exact(
  t.partial({
    accounts: count,
    statements: count,
    notes: count,
    supply_points: count,
    balances: t.record(t.string, summed),
    transactions: t.record(t.string, summed),
  }),
)
export type Controls = t.TypeOf<typeof controls>

const form =
  'is no file of control totals: {"accounts": 2, "statements": 4, "notes": 0, "supply_points": 3, ' +
  '"balances": {"LEDGER": {"count": 2, "sum": "12.30"}}, "transactions": {"PAYMENT": {"count": 5, "sum": "61.00"}}}. ' +
  'Every part may be left out.'

/** Left: why the file is none, in words. */
export const readControls = async (path: string): Promise<Either<string, Controls>> => {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    return E.left(cause instanceof SyntaxError ? `${path} ${form}` : unreadable(path, cause).message)
  }
  const read = controls.decode(value)
  // Decoding leaves out other names: one that is written wrongly would check nothing.
  return E.isRight(read) && isDeepStrictEqual(read.right, value) ? read : E.left(`${path} ${form}`)
}

const named = (kind: string, wanted: Controls['balances'] = {}) =>
  Object.entries(wanted).flatMap(([name, { count: many, sum }]) => [
    ...(many === undefined ? [] : [[`${kind} ${name}, count`, String(many)] as const]),
    ...(sum === undefined ? [] : [[`${kind} ${name}, sum`, sum] as const]),
  ])

/** Every control total with what was found of it among the created accounts; nothing found is 0. */
export const checkedControls = (wanted: Controls, found: ReadonlyMap<string, string>) => {
  const expected = [
    ...(['accounts', 'statements', 'notes', 'supply_points'] as const).flatMap((name) =>
      wanted[name] === undefined ? [] : [[name.replace('_', ' '), String(wanted[name])] as const],
    ),
    ...named('balances', wanted.balances),
    ...named('transactions', wanted.transactions),
  ]
  return expected.map(([name, value]) => {
    const there = found.get(name) ?? (name.endsWith('sum') ? '0.00' : '0')
    return { name, expected: value, found: there, equal: there === value }
  })
}
