import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { LogEntry } from '@account-import/adapter-http-koa'
import { createApp, createHttpServer } from '@account-import/adapter-http-koa'
import test from 'ava'
import {
  postHead as head,
  problemCodesIn as codesIn,
  rawExchange,
  statusesIn,
} from './support/raw-exchange.js'
import { get, serve, stagePath, validatePath } from './support/serve.js'
import { echoing, someUseCases } from './support/some-use-cases.js'

const headersIn = (answer: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...answer.matchAll(/^([\w-]+): (.*)\r$/gm)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  )

const idIn = (answer: string): string => headersIn(answer)['x-request-id'] ?? ''

const entryFor = (entry: Pick<LogEntry, 'requestId' | 'status' | 'code'> & Partial<LogEntry>): LogEntry => ({
  event: 'request',
  level: 'info',
  method: 'unknown',
  route: 'unmatched',
  durationMs: 0,
  aborted: false,
  ...entry,
})

const noHttp = [
  ['garbage', '\u0000\u0001garbage\r\n\r\n', 400],
  ['a broken request line', 'GET / HTTP/9.9\r\n\r\n', 400],
  ['an undecoded letter in the path', 'GET /\u00e9 HTTP/1.1\r\n\r\n', 400],
  ['two lengths', head(stagePath, 'Content-Length: 2', 'Content-Length: 3') + '{}', 400],
  [
    'length and chunks together',
    head(stagePath, 'Content-Length: 2', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    400,
  ],
  ['a negative length', head(stagePath, 'Content-Length: -1'), 400],
  ['a header without a colon', 'GET / HTTP/1.1\r\nnonsense\r\n\r\n', 400],
  ['headers of 100 KB', `GET / HTTP/1.1\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
] as const

for (const [what, text, status] of noHttp)
  test(`${what} is answered ${status} as JSON, and the connection ends`, async (t) => {
    const { port, logged } = await serve(t, {})
    const answer = await rawExchange(port, [text])
    t.deepEqual(statusesIn(answer), [status])
    t.deepEqual(codesIn(answer), ['parse_error'])
    t.regex(answer, /^Content-Type: application\/json; charset=utf-8\r$/m)
    t.deepEqual(logged, [entryFor({ requestId: idIn(answer), status, code: 'parse_error' })])
  })

test('a broken chunk in a body ends the request with 400 and nothing reaches the use case', async (t) => {
  const { port, logged } = await serve(t, {})
  const answer = await rawExchange(port, [head(stagePath, 'Transfer-Encoding: chunked'), '2\r\n{}\r\nzz\r\n'])
  t.deepEqual(statusesIn(answer), [400])
  t.deepEqual(codesIn(answer), ['parse_error'])
  t.deepEqual(
    logged.map(({ requestId, aborted, level }) => ({ requestId, aborted, level })),
    [{ requestId: idIn(answer), aborted: true, level: 'info' }],
  )
})

test('what is no HTTP is answered too after a request that was refused before its body had come', async (t) => {
  const { port } = await serve(t, {})
  const refusedEarly = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n'
  const next = ['{}', 'garbage\r\n\r\n']
  const answer = await rawExchange(port, [refusedEarly], (socket) => {
    socket.once('data', () => {
      for (const text of next) socket.write(text)
    })
  })
  t.deepEqual(statusesIn(answer), [404, 400])
  t.deepEqual(codesIn(answer), ['not_found', 'parse_error'])
})

/** What differs between an answer to a request and one to what is no request. */
const different = new Set(['connection', 'content-length', 'date', 'keep-alive', 'x-request-id'])

test('answers to what is no HTTP have an id and the headers that every answer has', async (t) => {
  const { baseUrl, port } = await serve(t, {})
  const usual = [...(await get(`${baseUrl}/nowhere`)).headers].filter(([name]) => !different.has(name))
  const broken = headersIn(await rawExchange(port, ['garbage\r\n\r\n']))
  t.deepEqual(
    Object.fromEntries(Object.entries(broken).filter(([name]) => !different.has(name))),
    Object.fromEntries(usual),
  )
  t.like(broken, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', connection: 'close' })
  t.regex(broken['x-request-id'] ?? '', /^[0-9a-f-]{36}$/)
  t.regex(broken['date'] ?? '', / GMT$/)
})

test('CONNECT is answered 405 as JSON with Allow and the id that was sent, and the connection ends', async (t) => {
  const { port, logged } = await serve(t, {})
  const text = 'CONNECT canary.example:443 HTTP/1.1\r\nHost: x\r\nX-Request-Id: id-7\r\n\r\n'
  const answer = await rawExchange(port, [text])
  t.deepEqual(statusesIn(answer), [405])
  t.deepEqual(codesIn(answer), ['method_not_allowed'])
  t.like(headersIn(answer), { allow: 'GET, HEAD, POST', 'x-request-id': 'id-7', connection: 'close' })
  t.deepEqual(logged, [
    entryFor({ requestId: 'id-7', status: 405, code: 'method_not_allowed', method: 'CONNECT' }),
  ])
})

for (const protocol of ['h2c', 'websocket'])
  test(`an offer to upgrade to ${protocol} is not taken up, and the request is served`, async (t) => {
    const { port, logged } = await serve(t, echoing)
    const upgrade = [
      'Connection: Upgrade, HTTP2-Settings',
      `Upgrade: ${protocol}`,
      'HTTP2-Settings: AAMAAABk',
    ]
    const nowhere = `GET /nowhere HTTP/1.1\r\nHost: x\r\n${upgrade.join('\r\n')}\r\n\r\n`
    const offered = `${head(validatePath, 'Content-Length: 2', ...upgrade)}{}`
    const last = `${head(validatePath, 'Content-Length: 2', 'Connection: close')}{}`
    const next = [offered, last]
    const answer = await rawExchange(port, [nowhere], (socket) => {
      socket.on('data', () => socket.write(next.shift() ?? ''))
    })
    t.deepEqual(statusesIn(answer), [404, 200, 200])
    t.is(logged.length, 3)
  })

test('a body that comes too slowly is answered 408', async (t) => {
  const logged: LogEntry[] = []
  const log = (entry: LogEntry): unknown => logged.push(entry)
  const app = createApp(someUseCases(), { log })
  const server = createHttpServer(app.callback(), { requestTimeoutMilliseconds: 200, log })
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await rawExchange(port, [head(stagePath, 'Content-Length: 100'), '{'])
  t.deepEqual(statusesIn(answer), [408])
  t.deepEqual(codesIn(answer), ['parse_error'])
  t.deepEqual(
    logged.map(({ requestId, status, aborted, level }) => ({ requestId, status, aborted, level })),
    [{ requestId: idIn(answer), status: 0, aborted: true, level: 'info' }],
  )
})

test('a head that comes too slowly is answered 408 and logged', async (t) => {
  const logged: LogEntry[] = []
  const server = createHttpServer(() => t.fail('no request came'), {
    requestTimeoutMilliseconds: 200,
    log: (entry) => logged.push(entry),
  })
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await rawExchange(port, ['GET /canary HTTP/1.1\r\nX: '])
  t.deepEqual(statusesIn(answer), [408])
  t.deepEqual(logged, [entryFor({ requestId: idIn(answer), status: 408, code: 'parse_error' })])
})
