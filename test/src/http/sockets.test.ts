import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type AccountImportListItem, bundledMarkets } from '@account-import/core'
import { E } from '@account-import/core/fp'
import test from 'ava'
import {
  postHead as head,
  problemCodesIn as codesIn,
  rawExchange,
  statusesIn,
} from './support/raw-exchange.js'
import { until } from '../servers/index.js'
import { once as happening } from '../support/once.js'
import { get, post, problemIn, serve, stagePath, validatePath } from './support/serve.js'
import { authenticate, echoing, unforeseen } from './support/some-use-cases.js'

const getHead = (path: string, ...headers: readonly string[]): string =>
  ['GET ' + path + ' HTTP/1.1', 'Host: x', ...headers].join('\r\n').concat('\r\n\r\n')

const document = getHead('/openapi.json')

/** The event loop may be late on a busy machine, which most of these tests do not measure. */
const neverLate = { lateMilliseconds: 60_000 }

test('a request with 100 headers, and one of HTTP/1.0 without Host, are served', async (t) => {
  const { port } = await serve(t, {})
  const many = getHead('/docs/', 'Connection: close', ...Array.from({ length: 98 }, (_, i) => `X-${i}: 1`))
  t.deepEqual(statusesIn(await rawExchange(port, [many])), [200])
  t.deepEqual(statusesIn(await rawExchange(port, ['GET /docs/ HTTP/1.0\r\n\r\n'])), [200])
})

test('of 1500 requests that one connection sends at once eight are served, the ninth is throttled and the last', async (t) => {
  const { port, logged } = await serve(t, {}, {}, neverLate)
  const answer = await rawExchange(port, [document.repeat(1500)])
  t.deepEqual(statusesIn(answer), [...Array<number>(8).fill(200), 429])
  t.true(answer.endsWith('"errors":[]}'))
  t.regex(answer, /^Retry-After: 1\r$/m)
  t.is(logged.length, 9)
})

test('a connection may send requests as long as it reads the responses', async (t) => {
  const { port } = await serve(t, echoing, {}, neverLate)
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

test('a document is built once for each path, for any number of requests', async (t) => {
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

test('a client that reads nothing of its responses is disconnected, and its requests are in the log', async (t) => {
  const { port, logged } = await serve(
    t,
    { allAccountImports: async () => E.right(endless()) },
    {},
    { ...neverLate, unreadTimeoutMilliseconds: 300 },
  )
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  const list = '/v1/data-import/all-account-import-processes/LEVANTE/'
  socket.write(getHead(list, 'Authorization: Token good').repeat(2))
  await until(async () => logged.length === 2, 'both requests are in the log')
  t.deepEqual(
    logged.map(({ aborted, unread }) => [aborted, unread]),
    [
      [true, true],
      [true, true],
    ],
  )
  socket.destroy()
})

test('a client that ends its side of the connection after its request gets the answer', async (t) => {
  const { port } = await serve(t, {
    validateAccount: async () => E.right(await delay(200, { account: { a: 1 }, ...unforeseen })),
  })
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end(`${head(validatePath, 'Content-Length: 2')}{}`)
  const chunks: Buffer[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk)
  t.deepEqual(statusesIn(Buffer.concat(chunks).toString()), [200])
})

async function* endless(): AsyncGenerator<readonly AccountImportListItem[]> {
  const item = { externalAccountNumber: 'A-1', platformAccountNumber: undefined, accountCreatedAt: undefined }
  for (;;) yield Array<AccountImportListItem>(1000).fill(item)
}

test('a use case that takes longer than the time-out is awaited, and so is a client that reads slowly', async (t) => {
  const { port } = await serve(
    t,
    { validateAccount: async () => E.right(await delay(2000, { account: { a: 1 }, ...unforeseen })) },
    {},
    { ...neverLate, unreadTimeoutMilliseconds: 1500 },
  )
  const slowly = rawExchange(port, [`${head(validatePath, 'Content-Length: 2', 'Connection: close')}{}`])
  t.deepEqual(statusesIn(await slowly), [200])
  const socket = connect(port, '127.0.0.1')
  socket.write(document.repeat(7) + getHead('/openapi.json', 'Connection: close'))
  const since = performance.now()
  let received = 0
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received += chunk.length
    await delay(150)
  }
  t.true(received > 8 * 100_000)
  t.true(performance.now() - since > 1500)
})

test('an overloaded service has 32 requests under way, refuses others with service_busy, and answers probes', async (t) => {
  const letGo = happening()
  const readiness = () => Promise.resolve({ database: { state: 'ok' as const } })
  let waitingNow = 0
  const waiting: typeof echoing.validateAccount = () => {
    waitingNow += 1
    return letGo.happened.then(() => E.right({ account: {}, ...unforeseen }))
  }
  const useCases = { ...echoing, validateAccount: waiting }
  const { baseUrl, port, logged } = await serve(t, useCases, { readiness }, { lateMilliseconds: -100 })
  const begun = Array.from({ length: 32 }, () => post(baseUrl + validatePath, '{}'))
  await until(async () => waitingNow === begun.length, 'all 32 are under way')
  const sent = (): Promise<Response> => post(baseUrl + stagePath, '{}')
  // The event loop counts as late after two measurements.
  let refused = await sent()
  while (refused.status !== 503) refused = await sent()
  t.is(refused.headers.get('Retry-After'), '1')
  t.is(await problemIn(t, refused), '503 service_busy')
  const one = `${head(stagePath, 'Content-Length: 2')}{}`
  const answer = await rawExchange(port, [
    one.repeat(2) + getHead('/readyz') + one + getHead('/livez', 'Connection: close'),
  ])
  t.deepEqual(statusesIn(answer), [503, 503, 200, 503, 200])
  t.deepEqual(codesIn(answer), ['service_busy', 'service_busy', 'service_busy'])
  t.true(
    logged
      .filter(({ status }) => status === 503)
      .every(({ level, code }) => `${level} ${code}` === 'warn service_busy'),
  )
  letGo.happen()
  for (const each of begun) t.is((await each).status, 200)
})

test('connections above the limit are closed, and the others are served', async (t) => {
  const { port } = await serve(t, {}, {}, { ...neverLate, maxConnections: 1 })
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

test('garbage after a valid request waits for its response, then ends the connection, and leaves one listener', async (t) => {
  const warnings: string[] = []
  const warned = ({ message }: Error): unknown => warnings.push(message)
  process.on('warning', warned)
  t.teardown(() => process.off('warning', warned))
  const letGo = happening()
  const { port } = await serve(t, {
    validateAccount: async () => {
      await letGo.happened
      return E.right({ account: { a: 1 }, ...unforeseen })
    },
  })
  const answer = await rawExchange(port, [`${head(validatePath, 'Content-Length: 2')}{}`], (socket) => {
    let left = 40
    const next = (): void => {
      if (left-- > 0) socket.write('\u0000garbage\r\n\r\n', () => setTimeout(next, 5))
      else letGo.happen()
    }
    setTimeout(next, 5)
  })
  t.deepEqual(statusesIn(answer), [200])
  t.regex(answer, /\{"a":1\}$/)
  t.deepEqual(warnings, [])
})

test('pipelined requests get their responses in order, and refused bodies are skipped', async (t) => {
  const { port } = await serve(t, echoing)
  const refused = `${head(stagePath, 'Content-Length: 6').replace('Token good', 'Token bad')}{"a":1`
  const good = `${head(validatePath, 'Content-Length: 2', 'Connection: close')}{}`
  const answer = await rawExchange(port, [`${refused}${good}`])
  t.deepEqual(statusesIn(answer), [401, 200])
})

const unread = [
  ['a declared length over the limit', head(stagePath, 'Content-Length: 5242881'), 413, 'payload_too_large'],
  [
    'a token that is not valid',
    head(stagePath, 'Content-Length: 1000').replace('Token good', 'Token bad'),
    401,
    'authentication_failed',
  ],
] as const

for (const [what, text, status, code] of unread)
  test(`${what} is refused before the body is read`, async (t) => {
    const { port } = await serve(t, {})
    const answer = await rawExchange(port, [text], (socket) => socket.on('data', () => socket.end()))
    t.deepEqual([statusesIn(answer), codesIn(answer)], [[status], [code]])
  })

/** The server's socket of the request with this id, as soon as its head was read. */
const begunRequest = (id: string): Promise<Socket> =>
  new Promise((resolve) => {
    subscribe('http.server.request.start', (message) => {
      const { socket, request } = message as { socket: Socket; request: IncomingMessage }
      if (request.headers['x-request-id'] === id) resolve(socket)
    })
  })

test('a waiting request whose client disconnects before its body is read causes no error', async (t) => {
  const [first, second] = [begunRequest('first'), begunRequest('second')]
  const gone = first.then((socket) => once(socket, 'close'))
  const { port, logged } = await serve(t, {
    authenticate: async (token) => {
      await gone
      return authenticate(token)
    },
  })
  const parts = [
    `${head(stagePath, 'Content-Length: 2', 'X-Request-Id: first')}{}`,
    head(stagePath, 'Content-Length: 2', 'X-Request-Id: second'),
  ]
  await rawExchange(port, parts, (socket) => void second.then(() => socket.destroy()))
  await until(async () => logged.length === 2, 'both requests are in the log')
  t.deepEqual(
    logged.map(({ level, aborted, code }) => ({ level, aborted, code })),
    [1, 2].map(() => ({ level: 'info', aborted: true, code: undefined })),
  )
})

test('clients that disconnect within a body cause no errors', async (t) => {
  const { baseUrl, port, logged } = await serve(t, {})
  const packed = gzipSync('{"a":1}')
  const starts = [
    [['Content-Length: 100'], '{"a":'],
    [['Transfer-Encoding: chunked'], '5\r\n{"a":\r\n'],
    [[`Content-Length: ${packed.length}`, 'Content-Encoding: gzip'], packed.subarray(0, 5)],
  ] as const
  for (const [index, [headers, body]] of starts.entries()) {
    const begun = begunRequest(`body-${index}`)
    const parts = [head(stagePath, ...headers, `X-Request-Id: body-${index}`), body]
    const answer = await rawExchange(port, parts, (socket) => void begun.then(() => socket.destroy()))
    t.is(answer, '')
    await until(async () => logged.length === index + 1, 'the request is in the log')
  }
  t.is((await get(`${baseUrl}/nowhere`)).status, 404)
  await until(async () => logged.length === starts.length + 1, 'the last request is in the log')
  t.deepEqual(
    logged.map(({ level, status, aborted, code }) => ({ level, status, aborted, code })),
    [
      ...starts.map(() => ({ level: 'info', status: 0, aborted: true, code: undefined })),
      { level: 'info', status: 404, aborted: false, code: 'not_found' },
    ],
  )
})

test.serial('a half-closed connection gets its response', async (t) => {
  const { port } = await serve(t, echoing)
  const answer = await rawExchange(port, [`${head(validatePath, 'Content-Length: 2')}{}`], (socket) =>
    socket.end(),
  )
  t.deepEqual(statusesIn(answer), [200])
})

const targets: Readonly<Record<string, string>> = {
  'http://[': '400 parse_error',
  'http://a:b:c/': '400 parse_error',
  'http://': '400 parse_error',
  'ftp://x/livez': '400 parse_error',
  '*': '400 parse_error',
  'http://x/v1/nowhere': '404 not_found',
  'http://x?a=1': '405 method_not_allowed',
  '//': '404 not_found',
}

for (const [target, refusal] of Object.entries(targets))
  test(`the request target ${target} is ${refusal}`, async (t) => {
    const { port } = await serve(t, {})
    const text = `POST ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Token good\r\nConnection: close\r\n\r\n`
    const answer = await rawExchange(port, [Buffer.from(text, 'latin1')])
    t.deepEqual([statusesIn(answer), codesIn(answer)], [[Number(refusal.slice(0, 3))], [refusal.slice(4)]])
  })

test('scheme and host of a request target appear in no document and no location', async (t) => {
  const { port } = await serve(t, {}, { basePath: '/imports' })
  const asked = (target: string): Promise<string> =>
    rawExchange(port, [`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
  const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n'))
  const document = bodyOf(await asked('/imports/openapi.json'))
  t.true(document.includes('"servers":[{"url":"/imports"}]'))
  t.is(bodyOf(await asked('http://h1.example/imports/openapi.json')), document)
  t.regex(await asked('http://evil.example/imports'), /\nLocation: \/imports\/\r/i)
  t.regex(await asked('http://evil.example'), /\nLocation: \/imports\/\r/i)
})

test('a request with an unknown expectation is served', async (t) => {
  const { port } = await serve(t, echoing)
  const answer = await rawExchange(port, [
    head(validatePath, 'Content-Length: 2', 'Expect: tea', 'Connection: close'),
    '{}',
  ])
  t.deepEqual(statusesIn(answer), [200])
})
