import { randomBytes } from 'node:crypto'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { bodyLimitBytes, endpoints } from '@account-import/http-contract'
import test, { type ExecutionContext } from 'ava'
import type { BulkSubmission, Ports } from '@account-import/core'
import { inMemoryStorePorts } from '@account-import/core/in-memory'
import { movingBody } from '@account-import/adapter-http-koa/testing'
import { E } from '@account-import/core/fp'
import { listen } from '../support/http-server.js'
import { exchangeBulk, inShort, openBulk, wholeAnswer } from '../support/bulk-exchange.js'
import { type BulkWorld, lineOf, openBulkWorld } from './support/bulk-world.js'
import { mutate, type Mutation, mutations, originals } from '../validation/mutations.js'
import { fc, runs } from '../support/properties.js'
import { until } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { once as happening } from '../support/once.js'
import { rawExchange } from '../http/support/raw-exchange.js'
import { serve } from '../http/support/serve.js'
import { unforeseen } from '../http/support/some-use-cases.js'

/** JSON text of exactly this number of bytes. */
const textOfBytes = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`

test('a line of 5 MiB without its line ending is accepted, and one more byte fails that line alone', async (t) => {
  const world = await openBulkWorld(t)
  const body = [
    textOfBytes(bodyLimitBytes),
    `${textOfBytes(bodyLimitBytes)}\r`,
    textOfBytes(bodyLimitBytes + 1),
    'x'.repeat(3 * bodyLimitBytes),
    lineOf(world, 'A').trim(),
    `${textOfBytes(bodyLimitBytes + 1)}\r`,
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

test('bytes that are not UTF-8 fail their line alone, and a byte order mark is skipped', async (t) => {
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

test('a line with a repeated key or too much depth fails alone, and its result names the place', async (t) => {
  const world = await openBulkWorld(t)
  const twice = '{"notes":[{"body":"canary","\\u0062ody":"x"}]}'
  const deep = `${'['.repeat(33)}${']'.repeat(33)}`
  const body = `${lineOf(world, 'A')}${twice}\n${deep}\n${lineOf(world, 'B')}`
  const { results } = await exchangeBulk('bulkStage', world.sending, body)
  t.deepEqual(results.map(inShort), ['1 201', '2 400 parse_error', '3 400 payload_too_deep', '4 201'])
  t.regex(JSON.stringify(results[1]), /a key twice in one object at column 28\. /)
  t.notRegex(JSON.stringify(results[1]), /canary/)
})

test('an empty body gets the summary alone', async (t) => {
  const { sending } = await openBulkWorld(t)
  const { results, summary } = await exchangeBulk('bulkValidate', sending, '\n \n')
  t.deepEqual([results, summary], [[], { received: 0, valid: 0, failed: 0 }])
})

test('the response has the result of a line before the client sends the next line', async (t) => {
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

test('a damaged gzip body ends the response with an error line after the results so far, and a body that is not gzip is parse_error', async (t) => {
  const world = await openBulkWorld(t)
  const headers = { 'Content-Encoding': 'gzip' }
  // Text that differs, as equal accounts are packed to less than a hundredth.
  const lines = Array.from({ length: 2000 }, (_, index) =>
    lineOf(world, `N-${index}`).replace('{', `{"own":"${randomBytes(64).toString('hex')}",`),
  ).join('')
  const packed = gzipSync(lines)
  const padded = Buffer.concat([packed, Buffer.alloc(512), gzipSync(lineOf(world, 'LAST'))])
  for (const body of [packed.subarray(0, packed.length / 2), padded]) {
    const { status, results, summary } = await exchangeBulk('bulkStage', { ...world.sending, headers }, body)
    t.deepEqual([status, summary], [200, undefined])
    const last = results.at(-1)
    t.is(last && inShort(last), `${results.length} 400 parse_error`)
    t.regex(JSON.stringify(last), /gzip data of the body is damaged/)
    t.true(
      results.length > 100 && results.slice(0, -1).every(({ status: each }) => [200, 201].includes(each)),
    )
  }
  for (const none of [lineOf(world, 'N'), '', packed.subarray(0, 3)]) {
    const refused = openBulk('bulkStage', { ...world.sending, headers })
    refused.sending.end(none)
    const response = await refused.answer
    const { code, detail } = (await json(response)) as { code: string; detail: string }
    t.deepEqual([response.statusCode, code], [400, 'parse_error'])
    t.regex(detail, /gzip data/)
  }
})

test('a body that unpacks to more than a hundred times its length ends with 413 at that line', async (t) => {
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

test('a body may have a thousand blank lines in a row, and one more ends the response with 413', async (t) => {
  const world = await openBulkWorld(t)
  const blank = ' \n'.repeat(1000)
  const many = [lineOf(world, 'A'), blank, lineOf(world, 'B'), blank, '\n', lineOf(world, 'C')].join('')
  const { results, summary } = await exchangeBulk('bulkStage', world.sending, many)
  t.deepEqual(results.map(inShort), ['1 201', '1002 201', '2003 413 payload_too_large'])
  t.is(summary, undefined)
})

type Case = Readonly<{ original: number; changes: readonly Mutation[]; number: number }>

const cases: fc.Arbitrary<Case> = fc.record({
  original: fc.nat(originals.length - 1),
  changes: fc.oneof(fc.constant<readonly Mutation[]>([]), mutations),
  number: fc.nat(30),
})

/** A payload of the supplier, sound or not, as text; many have one of few numbers, so that they meet. */
const textOf = ({ supplier }: BulkWorld, { original, changes, number }: Case): string => {
  const payload = JSON.parse(originals[original] ?? '{}') as Record<string, unknown>
  payload['import_supplier'] = supplier
  payload['external_account_number'] = `N-${number}`
  mutate(payload, changes)
  return JSON.stringify(payload)
}

const single = { bulkStage: endpoints.stageAccount, bulkValidate: endpoints.validateAccount } as const

/** The answers of single requests, one after the other, in the form of lines. */
const oneByOne = async ({ raw, sending }: BulkWorld, name: keyof typeof single, texts: readonly string[]) => {
  const results: object[] = []
  for (const [index, text] of texts.entries()) {
    const answer = await raw.post(single[name].path, sending.token, JSON.parse(text))
    const warnings = Number(answer.headers['import-warnings-total'] ?? 0)
    results.push({
      line: index + 1,
      external_account_number: undefined,
      status: answer.status,
      ...(name === 'bulkValidate' && answer.status === 200 && { staging: 'created' }),
      ...(warnings > 0 && { warnings }),
      ...(answer.status >= 400 && { error: JSON.parse(answer.text) as unknown }),
    })
  }
  return results
}

for (const name of ['bulkValidate', 'bulkStage'] as const)
  test(`${name}: the result of each line equals the response to the single request`, async (t) => {
    const bulk = await openBulkWorld(t)
    const alone = await openBulkWorld(t, { supplier: bulk.supplier })
    const texts = fc.sample(cases, runs(80)).map((each) => textOf(bulk, each))
    const { results } = await exchangeBulk(name, bulk.sending, texts.join('\n'))
    t.deepEqual(
      results.map((result) => ({ ...result, external_account_number: undefined })),
      (await oneByOne(alone, name, texts)) as typeof results,
    )
    t.true(new Set(results.map(({ status }) => status)).size > 1)
  })

const stage = async (world: BulkWorld, count: number): Promise<void> => {
  const lines = Array.from({ length: count }, (_, index) => lineOf(world, `N-${index}`))
  const { summary } = await exchangeBulk('bulkStage', world.sending, lines.join(''))
  if (summary?.created !== count) throw new Error(`staged: ${JSON.stringify(summary)}`)
}

const allOf = ({ supplier, team }: BulkWorld): string =>
  JSON.stringify({ import_supplier_code: supplier, operations_team_name: team })

const summaryOf = ({ stores, organisation, supplier, clock }: BulkWorld) =>
  answer(stores.accountImports.summary(organisation, supplier, clock.now()))

/** A world whose second page of creations waits. */
const openWaitingWorld = async (t: ExecutionContext) => {
  const stores = inMemoryStorePorts()
  const [isWaiting, goOn] = [happening(), happening()]
  let pages = 0
  const create: Ports['accountImports']['create'] = async (creations) => {
    pages += 1
    if (pages === 2) {
      isWaiting.happen()
      await goOn.happened
    }
    return stores.accountImports.create(creations)
  }
  const ports = { ...stores, accountImports: { ...stores.accountImports, create } }
  const world = await openBulkWorld(t, { ports })
  return { ...world, stores: { ...world.stores, ...ports }, isWaiting, goOn }
}

test('the service begins no account after the client has reset its connection, and completes those that it began', async (t) => {
  const world = await openWaitingWorld(t)
  await stage(world, 400)
  const { sending, answer: response } = openBulk('bulkProcess', world.sending)
  sending.end(allOf(world))
  await (await response)[Symbol.asyncIterator]().next()
  await world.isWaiting.happened
  sending.socket?.resetAndDestroy()
  await until(async () => world.logged.some(({ aborted }) => aborted), 'the service notices the end')
  world.goOn.happen()
  await until(async () => (await summaryOf(world)).created === 128, 'the second page is created')
  const { summary } = await exchangeBulk('bulkProcess', world.sending, allOf(world))
  t.deepEqual(summary, { received: 272, created: 272, failed: 0 })
})

async function* validOf(lines: BulkSubmission['lines']) {
  for await (const { line } of lines)
    yield [{ line, externalAccountNumber: undefined, outcome: E.right(unforeseen) }]
}

test('a body of lines may take longer than the request time-out while bytes arrive', async (t) => {
  const useCases = {
    bulkValidate: async ({ lines }: BulkSubmission) => E.right(validOf(lines)),
  }
  // The head has to arrive within the time-out, which is checked once a second.
  const { baseUrl } = await serve(t, useCases, {}, { requestTimeoutMilliseconds: 2000 })
  const { sending, answer } = openBulk('bulkValidate', { baseUrl, token: 'good' })
  for (let line = 0; line < 35; line++) {
    sending.write('{}\n')
    await delay(100)
  }
  sending.end()
  t.deepEqual((await wholeAnswer(await answer)).summary, { received: 35, valid: 35, failed: 0 })
})

/** The result of a body that is read by a server which bears 200 ms of silence. */
const readBy = async (
  t: ExecutionContext,
  read: (chunks: AsyncIterable<Buffer>) => Promise<string>,
): Promise<Readonly<{ port: number; outcome: Promise<string> }>> => {
  let tell: (outcome: string) => void = () => undefined
  const outcome = new Promise<string>((resolve) => (tell = resolve))
  const port = await listen(t, (request) => {
    read(movingBody(request, 200)).then(tell, (cause: NodeJS.ErrnoException) => tell(String(cause.code)))
  })
  return { port, outcome }
}

const begun = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc'

test('a body of lines ends with its connection when no bytes arrive for the time-out', async (t) => {
  const { port, outcome } = await readBy(t, async (chunks) => {
    for await (const chunk of chunks) void chunk
    return 'whole'
  })
  const since = performance.now()
  await t.throwsAsync(rawExchange(port, [begun]).then((text) => Promise.reject(new Error(`ended: ${text}`))))
  t.is(await outcome, 'ECONNABORTED')
  t.true(performance.now() - since >= 190)
})

test('time in which the service does not read does not count for the time-out', async (t) => {
  const { port, outcome } = await readBy(t, async (chunks) => {
    for await (const chunk of chunks) {
      await delay(700)
      return String(chunk)
    }
    return 'nothing'
  })
  await rawExchange(port, [begun], (socket) => void outcome.then(() => socket.destroy()))
  t.is(await outcome, 'abc')
})

test('a client that disconnects within its lines causes no error, and the log has the counts so far', async (t) => {
  const { baseUrl, logged } = await serve(t, {
    bulkValidate: async ({ lines }) => E.right(validOf(lines)),
  })
  const { sending, answer } = openBulk('bulkValidate', { baseUrl, token: 'good' })
  sending.on('error', () => undefined)
  sending.write('{}\n{}\n{"half":')
  const response = await answer
  response.on('error', () => undefined)
  let answered = ''
  response.on('data', (piece: Buffer) => (answered += piece.toString()))
  await until(async () => answered.split('\n').length === 3, 'two lines have results')
  sending.destroy()
  await until(async () => logged.length > 0, 'the request is in the log')
  t.like(logged[0], {
    status: 200,
    aborted: true,
    level: 'info',
    counts: { received: 2, valid: 2, failed: 0 },
  })
  t.is(logged[0]?.failure, undefined)
})
