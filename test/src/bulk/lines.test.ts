import { randomBytes } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { bodyLimitBytes } from '@account-import/http-contract'
import test from 'ava'
import { exchangeBulk, inShort, openBulk } from '../support/bulk-exchange.js'
import { lineOf, openBulkWorld } from './support/bulk-world.js'

/** JSON text of exactly so many bytes. */
const textOf = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`

test('a line may have 5 MiB, without its line ending; one byte more fails alone, whatever follows', async (t) => {
  const world = await openBulkWorld(t)
  const body = [
    textOf(bodyLimitBytes),
    `${textOf(bodyLimitBytes)}\r`,
    textOf(bodyLimitBytes + 1),
    'x'.repeat(3 * bodyLimitBytes),
    lineOf(world, 'A').trim(),
    `${textOf(bodyLimitBytes + 1)}\r`,
  ].join('\n')
  const expected = [
    '1 400 account_failed_validation',
    '2 400 account_failed_validation',
    '3 413 payload_too_large',
    '4 413 payload_too_large',
    '5 201',
    '6 413 payload_too_large',
  ]
  const { results, summary } = await exchangeBulk('bulkStage', world.sending, body)
  t.deepEqual(results.map(inShort), expected)
  t.deepEqual(summary, { received: 6, created: 1, updated: 0, failed: 5 })
})

test('bytes that are no UTF-8 fail their line alone, and a byte order mark is none of the content', async (t) => {
  const world = await openBulkWorld(t)
  const body = Buffer.concat([
    Buffer.from(`\uFEFF${lineOf(world, 'A')}`),
    Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a]),
    Buffer.from('\r\n\n'),
    Buffer.from(lineOf(world, 'é')),
  ])
  const { results } = await exchangeBulk('bulkStage', world.sending, body)
  t.deepEqual(results.map(inShort), ['1 201', '2 400 invalid_encoding', '5 201'])
})

test('a line with a key twice in one object fails alone, and its answer says where', async (t) => {
  const world = await openBulkWorld(t)
  const body = `${lineOf(world, 'A')}{"notes":[{"body":"canary","\\u0062ody":"x"}]}\n${lineOf(world, 'B')}`
  const { results } = await exchangeBulk('bulkStage', world.sending, body)
  t.deepEqual(results.map(inShort), ['1 201', '2 400 parse_error', '3 201'])
  t.regex(JSON.stringify(results[1]), /a key twice in one object at column 28\. /)
  t.notRegex(JSON.stringify(results[1]), /canary/)
})

test('an empty body is a summary alone', async (t) => {
  const { sending } = await openBulkWorld(t)
  const { results, summary } = await exchangeBulk('bulkValidate', sending, '\n \n')
  t.deepEqual([results, summary], [[], { received: 0, valid: 0, failed: 0 }])
})

test('each line is answered before the next one is sent', async (t) => {
  const world = await openBulkWorld(t)
  const { sending, answer } = openBulk('bulkStage', world.sending)
  sending.write(lineOf(world, 'A'))
  const response = await answer
  const pieces = response.setEncoding('utf8')[Symbol.asyncIterator]()
  t.regex(String((await pieces.next()).value), /^\{"line":1,[^\n]+\n$/)
  const [begin, end] = [lineOf(world, 'B').slice(0, 100), lineOf(world, 'B').slice(100)]
  sending.write(begin)
  await delay(50)
  sending.write(end)
  t.regex(String((await pieces.next()).value), /^\{"line":2,[^\n]+\n$/)
  sending.end()
  t.deepEqual(JSON.parse(String((await pieces.next()).value)), {
    summary: { received: 2, created: 2, updated: 0, failed: 0 },
  })
})

test('a gzip that ends too early cuts the answer after the lines before it; what is none is parse_error', async (t) => {
  const world = await openBulkWorld(t)
  const headers = { 'Content-Encoding': 'gzip' }
  // Text that differs, as equal accounts are packed to less than a hundredth.
  const lines = Array.from({ length: 2000 }, (_, index) =>
    lineOf(world, `N-${index}`).replace('{', `{"own":"${randomBytes(64).toString('hex')}",`),
  ).join('')
  const packed = gzipSync(lines)
  const { status, results, summary } = await exchangeBulk(
    'bulkStage',
    { ...world.sending, headers },
    packed.subarray(0, packed.length / 2),
  )
  t.deepEqual([status, summary], [200, undefined])
  t.true(results.length > 100 && results.every((result) => result.status === 201))
  for (const none of [lineOf(world, 'N'), '', packed.subarray(0, 3)]) {
    const refused = openBulk('bulkStage', { ...world.sending, headers })
    refused.sending.end(none)
    const response = await refused.answer
    const { code } = (await json(response)) as { code: string }
    t.deepEqual([response.statusCode, code], [400, 'parse_error'])
  }
})

test('a body that unpacks to more than a hundred times its length is 413 at the line where it does, and ends there', async (t) => {
  const world = await openBulkWorld(t)
  const headers = { 'Content-Encoding': 'gzip' }
  const body = gzipSync(lineOf(world, 'A') + '0'.repeat(bodyLimitBytes - 1) + '\n' + lineOf(world, 'B'))
  const { results, summary } = await exchangeBulk('bulkStage', { ...world.sending, headers }, body)
  t.deepEqual(results.map(inShort), ['1 201', '2 413 payload_too_large'])
  t.is(summary, undefined)
  const blank = await exchangeBulk(
    'bulkStage',
    { ...world.sending, headers },
    gzipSync('\n'.repeat(30_000_000)),
  )
  t.deepEqual(blank.results.map(inShort), ['1001 413 payload_too_large'])
})

test('a thousand blank lines may follow one another; one more is 413, and ends the answer', async (t) => {
  const world = await openBulkWorld(t)
  const blank = ' \n'.repeat(1000)
  const many = [lineOf(world, 'A'), blank, lineOf(world, 'B'), blank, '\n', lineOf(world, 'C')].join('')
  const { results, summary } = await exchangeBulk('bulkStage', world.sending, many)
  t.deepEqual(results.map(inShort), ['1 201', '1002 201', '2003 413 payload_too_large'])
  t.is(summary, undefined)
})
