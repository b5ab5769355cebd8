import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { bundledMarkets, type AccountImportListItem } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import {
  postHead as head,
  problemCodesIn as codesIn,
  rawExchange,
  statusesIn,
} from './support/raw-exchange.js'
import { get, post, problemIn, serve, validatePath } from './support/serve.js'
import { echoing } from './support/some-use-cases.js'

const getHead = (path: string, ...headers: readonly string[]): string =>
  ['GET ' + path + ' HTTP/1.1', 'Host: x', ...headers].join('\r\n').concat('\r\n\r\n')

const document = getHead('/openapi.json')

/** The machine may be so busy that the event loop is late: that is not what most of these tests are about. */
const neverLate = { lateMilliseconds: 60_000 }

const unsaid = [
  ['no Host', 'GET /docs/ HTTP/1.1\r\n\r\n', 'Host'],
  ['two Hosts', getHead('/docs/', 'Host: x'), 'Host'],
  ['two Hosts in HTTP/1.0', 'GET /docs/ HTTP/1.0\r\nhost: a\r\nHOST: a\r\n\r\n', 'Host'],
  ['101 headers', getHead('/docs/', ...Array.from({ length: 100 }, (_, i) => `X-${i}: 1`)), 'headers'],
  ['a request line of HTTP/0.9', 'GET /docs/\r\n\r\n', ''],
  ['HTTP/0.9 by name', 'GET /docs/ HTTP/0.9\r\n\r\n', ''],
  ['HTTP/2.0 by name', 'GET /docs/ HTTP/2.0\r\nHost: x\r\n\r\n', ''],
] as const

for (const [what, text, word] of unsaid)
  test(`a request with ${what} is answered 400 as JSON, and its connection ends`, async (t) => {
    const { port, logged } = await serve(t, {})
    const answer = await rawExchange(port, [text])
    t.deepEqual(statusesIn(answer), [400])
    t.deepEqual(codesIn(answer), ['parse_error'])
    t.regex(answer, /^Connection: close\r$/m)
    t.true(answer.includes(word))
    t.deepEqual(
      logged.map(({ status, code, route }) => ({ status, code, route })),
      [{ status: 400, code: 'parse_error', route: 'unmatched' }],
    )
  })

test('a request with 100 headers, and one of HTTP/1.0 without Host, are served', async (t) => {
  const { port } = await serve(t, {})
  const many = getHead('/docs/', 'Connection: close', ...Array.from({ length: 98 }, (_, i) => `X-${i}: 1`))
  t.deepEqual(statusesIn(await rawExchange(port, [many])), [200])
  t.deepEqual(statusesIn(await rawExchange(port, ['GET /docs/ HTTP/1.0\r\n\r\n'])), [200])
})

test('of 1500 requests that one connection sends at once eight are served, the ninth is throttled and the last', async (t) => {
  const { port, logged } = await serve(t, {}, {}, { turnstile: neverLate })
  const answer = await rawExchange(port, [document.repeat(1500)])
  t.deepEqual(statusesIn(answer), [...Array<number>(8).fill(200), 429])
  t.true(answer.endsWith('"errors":[]}'))
  t.regex(answer, /^Retry-After: 1\r$/m)
  t.is(logged.length, 9)
})

test('a connection may send on for as long as it takes its answers', async (t) => {
  const { port } = await serve(t, echoing, {}, { turnstile: neverLate })
  let asked = 20
  const one = `${head(validatePath, 'Content-Length: 2')}{}`
  const answer = await rawExchange(port, [one.repeat(8)], (socket) =>
    socket.on('data', (text: string) => {
      for (const _ of statusesIn(text)) {
        asked -= 1
        if (asked > 0) socket.write(one)
        if (asked === 0) socket.end()
      }
    }),
  )
  t.deepEqual([...new Set(statusesIn(answer))], [200])
  t.true(statusesIn(answer).length >= 20)
})

test('documents are made once for each path, however many ask', async (t) => {
  let looks = 0
  const [first, ...others] = bundledMarkets
  if (first === undefined) return t.fail('there are no markets')
  const watched = new Proxy(first, {
    get: (pack, name) => {
      looks += 1
      return Reflect.get(pack, name) as unknown
    },
  })
  const { baseUrl } = await serve(t, {}, { markets: [watched, ...others] })
  for (const path of ['/openapi.json', '/docs/errors/', '/docs/errors/parse_error/']) {
    const made = await (await get(baseUrl + path)).text()
    const known = looks
    const again = await Promise.all([1, 2, 3].map(async () => (await get(baseUrl + path)).text()))
    t.true(
      again.every((text) => text === made),
      path,
    )
    t.is(looks, known, path)
  }
  t.true(looks > 0)
})

/** Asks for documents, and takes nothing of what comes. */
const unread = (port: number) => {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.write(document.repeat(8))
  return socket
}

test('a client that takes nothing of its answers is cut off, and its requests are in the log', async (t) => {
  const { port, logged } = await serve(
    t,
    { allAccountImports: () => TE.right(endless()) },
    {},
    { turnstile: neverLate, unreadTimeoutMilliseconds: 300 },
  )
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  const list = '/v1/data-import/all-account-import-processes/LEVANTE/'
  socket.write(getHead(list, 'Authorization: Token good').repeat(2))
  while (logged.length < 2) await delay(20)
  t.deepEqual(
    logged.map(({ aborted }) => aborted),
    [true, true],
  )
  socket.destroy()
})

async function* endless(): AsyncGenerator<readonly AccountImportListItem[]> {
  const item = { externalAccountNumber: 'A-1', platformAccountNumber: undefined, accountCreatedAt: undefined }
  for (;;) yield Array<AccountImportListItem>(1000).fill(item)
}

test('a use case that takes longer than that is waited for, and so is a client that reads slowly', async (t) => {
  const { port } = await serve(
    t,
    { validateAccount: () => TE.fromTask(() => delay(700, { account: { a: 1 }, warnings: [] })) },
    {},
    { turnstile: neverLate, unreadTimeoutMilliseconds: 200 },
  )
  const slowly = rawExchange(port, [`${head(validatePath, 'Content-Length: 2', 'Connection: close')}{}`])
  t.deepEqual(statusesIn(await slowly), [200])
  const socket = unread(port)
  let received = 0
  const ended = once(socket, 'close')
  const reading = setInterval(() => {
    for (let chunk: unknown; (chunk = socket.read(65_536)) !== null;) received += (chunk as Buffer).length
  }, 50)
  setTimeout(() => socket.end(), 1000)
  await ended
  clearInterval(reading)
  t.true(received > 8 * 100_000)
})

test('what cannot begin in this turn waits, what may not wait is service_busy, and probes are answered', async (t) => {
  const readiness = () => Promise.resolve({ database: { state: 'ok' as const } })
  const turnstile = { ...neverLate, sliceMilliseconds: 0, mostWaiting: 2 }
  const { baseUrl, port, logged } = await serve(t, echoing, { readiness }, { turnstile })
  const one = `${head(validatePath, 'Content-Length: 2')}{}`
  const answer = await rawExchange(port, [
    one.repeat(5) + getHead('/readyz') + one + getHead('/livez', 'Connection: close'),
  ])
  t.deepEqual(statusesIn(answer), [200, 200, 200, 503, 503, 200, 503, 200])
  t.deepEqual(codesIn(answer), ['service_busy', 'service_busy', 'service_busy'])
  t.regex(answer, /^Retry-After: 1\r$/m)
  t.deepEqual(
    logged.filter(({ status }) => status === 503).map(({ level, code }) => ({ level, code })),
    Array(3).fill({ level: 'warn', code: 'service_busy' }),
  )
  t.is((await get(`${baseUrl}/nowhere`)).status, 404)
})

test('of many clients that come at one moment some are told to come again in a second, in the form of every refusal', async (t) => {
  const { baseUrl } = await serve(t, echoing, {}, { turnstile: { sliceMilliseconds: 0, mostWaiting: 0 } })
  let busy: Response | undefined
  while (busy === undefined) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => post(`${baseUrl}${validatePath}`, '{}')),
    )
    busy = answers.find(({ status }) => status === 503)
    await Promise.all(answers.filter((answer) => answer !== busy).map((answer) => answer.text()))
  }
  t.is(busy.headers.get('Retry-After'), '1')
  t.is(await problemIn(t, busy), '503 service_busy')
})

test('while the event loop is late nothing new is taken but probes', async (t) => {
  const readiness = () => Promise.resolve({})
  const turnstile = { sliceMilliseconds: 0, lateMilliseconds: -100 }
  const { baseUrl, port } = await serve(t, echoing, { readiness }, { turnstile })
  const one = getHead('/nowhere')
  let statuses: readonly number[] = []
  // The third one is what waits.
  while (!statuses.includes(503))
    statuses = statusesIn(await rawExchange(port, [one.repeat(2) + getHead('/nowhere', 'Connection: close')]))
  t.deepEqual(statuses, [503, 503, 503])
  t.is((await get(`${baseUrl}/livez`)).status, 200)
})

test('connections beyond the limit are closed as they come, the others are served', async (t) => {
  const { port } = await serve(t, {}, {}, { turnstile: neverLate, maxConnections: 1 })
  const first = connect(port, '127.0.0.1')
  await once(first, 'connect')
  const second = connect(port, '127.0.0.1')
  second.on('error', () => undefined)
  await once(second, 'close')
  first.write(document)
  const [bytes] = (await once(first, 'data')) as [Buffer]
  t.deepEqual(statusesIn(bytes.toString('latin1')), [200])
  first.destroy()
})
