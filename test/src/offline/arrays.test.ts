import { Readable } from 'node:stream'
import ava from 'ava'
import { account, invalidAccount } from './support/accounts.js'
import { offline } from './support/offline.js'

// One after the other: each starts threads.
const test = ava.serial

const accounts = [account('A'), invalidAccount('B'), account('C'), 5, [], 'x,]"\\\u00e9']

test('an array that arrives byte by byte, and one of many MiB, is read in order', async (t) => {
  const { summary } = await offline(t)
  const bytes = Buffer.from(`\ufeff\n${JSON.stringify(accounts, null, 1)}`)
  const input = Readable.from(Array.from(bytes, (byte) => Buffer.of(byte)))
  t.like(await summary(['-'], 1, { input }), { accounts: 6, lines: 6, valid: 2 })
  const long = {
    ...account('L'),
    metadata: [{ key: 'k', value: { texts: Array<string>(40).fill('x'.repeat(10_000)) } }],
  }
  const many = Readable.from([Buffer.from(JSON.stringify([...Array<unknown>(30).fill(long), {}]))])
  t.like(await summary(['-'], 1, { input: many }), { accounts: 31, lines: 31, failed: 1 })
})

test('an empty array has no accounts, and an element over 5 MiB is refused alone', async (t) => {
  const { put, summary } = await offline(t)
  t.like(await summary([await put('a.json', ' [ ] ')], 1), { accounts: 0 })
  const big = { ...account('B'), metadata: [{ key: 'k', value: { text: 'x'.repeat(6 * 1024 * 1024) } }] }
  const found = await summary([await put('a.json', JSON.stringify([account('A'), big, account('C')]))], 1)
  t.like(found, { accounts: 3, valid: 2, errors: [{ code: 'payload_too_large', accounts: 1 }] })
})

const good = JSON.stringify(account('A'))

for (const [name, content, place] of [
  ['without its end', `[${good},\n${good}`, /cut short, at element 2 of the array, line 2 of the file/],
  ['that ends after a comma', `[${good},\n`, /cut short, at element 2 of the array, line 2/],
  ['that ends within an account', `[${good},{"a":`, /cut short, at element 2 of the array, line 1/],
  ['that ends within a text', `[${good},{"a":"`, /cut short, at element 2/],
  ['with a comma too many', `[${good},\n\n]`, /An element is missing, at element 2 of the array, line 3/],
  ['with two commas', `[${good},,${good}]`, /An element is missing, at element 2/],
  [
    'with a wrong bracket',
    `\n[${good},\n{"a":[1}]`,
    /There is a wrong \}, at element 2 of the array, line 3/,
  ],
  [
    'with a text that is not closed',
    `[${good},\n{"a":"b}\n]`,
    /A text is not closed .*, at element 2 .*line 2/,
  ],
  ['before another array', `[${good}]\n[${good}]`, /Something follows the end of the array, .*line 2/],
] as const)
  test(`an array ${name} is refused with the place, and nothing is written`, async (t) => {
    const { put, validate, names } = await offline(t)
    const file = await put('a.json', content)
    const { code, stderr } = await validate([file, '--failures', `${file}.failed`])
    t.is(code, 2, stderr)
    t.regex(stderr, place)
    t.deepEqual(await names(), ['a.json'])
  })

test('an element that is not JSON fails alone, by its number', async (t) => {
  const { put, path, text, summary } = await offline(t)
  const file = await put('a.json', `[${good},\n{"a" 1},\n${good.replace('"A"', '"C"')}, {"a":1 2}]`)
  const found = await summary([file, '--failures', path('f')], 1)
  t.like(found, { accounts: 4, valid: 2, errors: [{ code: 'parse_error', accounts: 2 }] })
  t.is(await text('f'), '{"a" 1}\n{"a":1 2}\n')
})
