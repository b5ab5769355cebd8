import test from 'ava'
import { accountPayload } from '@account-import/core'
import { accountWith, find, findInAccount } from './support.js'

const MEGABYTES_5 = 5 * 1024 * 1024
const times = <A>(length: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length }, (_, i) => make(i))
const object = (length: number, key: (index: number) => string): object =>
  Object.fromEntries(times(length, (index) => [key(index), 1]))
const nested = (levels: number): object => {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

/** Payloads of about 5 MB as JSON, made to be slow. */
const payloads: Readonly<Record<string, object>> = {
  'one long text': { billing_name: 'x'.repeat(MEGABYTES_5) },
  'one long text of pairs': { billing_name: '😀'.repeat(MEGABYTES_5 / 4) },
  'one long blank': { sales_channel: ' '.repeat(MEGABYTES_5) },
  'a million nulls': { supply_addresses: times(100, () => ({ supply_points: times(10_000, () => null) })) },
  'a million items': { notes: times(1_000_000, () => ({})) },
  'ten errors and warnings in each of 10 000 items': {
    customers: times(10_000, () => ({
      given_name: null,
      email: '@',
      mobile: 'x',
      user_details: {},
      x: 1,
      y: 1,
    })),
  },
  'unknown keys in falling order': object(500_000, (index) => `k${900_000 - index}`),
  'keys that cannot be shown': object(500_000, (index) => `k ${index}`),
  'special keys': {
    metadata: times(5000, () => ({
      key: 'k',
      value: JSON.parse('{"__proto__":{"a":1},"constructor":{"b":"\\u0000"}}'),
    })),
    references: times(5000, () => JSON.parse('{"__proto__":{"namespace":"n","value":"v"}}')),
  },
  'deep nesting in a free object': { metadata: [{ key: 'k', value: nested(400_000) }] },
  'deep nesting where an object belongs': { customers: [nested(400_000)] },
  'escaped document paths': {
    notes: [{ document_paths: times(5000, () => ({ document_path: '%2525'.repeat(200) })) }],
  },
  'document paths that grow when normalised': {
    notes: [{ document_paths: times(5000, () => ({ document_path: 'ﷺ'.repeat(333) })) }],
  },
  'phone numbers of brackets': {
    customers: times(10_000, () => ({ mobile: '1-'.repeat(15) + 'x', landline: `+1 ${'('.repeat(29)}` })),
  },
  'e-mail addresses of many labels': {
    customers: times(10_000, () => ({ email: `a@${'é-é.'.repeat(60)}11` })),
  },
}

/** The best of a few runs: other tests, and other programs, share the processors. */
const quickest = (run: () => void): number => {
  let best = Infinity
  for (let attempt = 0; attempt < 5 && best > 500; attempt++) {
    const start = performance.now()
    run()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

for (const [name, fields] of Object.entries(payloads))
  test.serial(`${name}: judged within a second, with a bounded report`, (t) => {
    const payload = accountWith(fields)
    const milliseconds = quickest(() => {
      const { errors, warnings } = find(accountPayload, payload)
      t.true(errors.length <= 1001 && warnings.length <= 1001)
    })
    t.true(milliseconds < 1000, `${Math.round(milliseconds)} ms`)
  })

test('nothing of a payload reaches the prototype of objects', (t) => {
  findInAccount(
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object,
  )
  t.is(({} as Record<string, unknown>)['polluted'], undefined)
})
