import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pipe, TE } from '@account-import/core/adapter-kit'
import test from 'ava'
import {
  problemCodesIn as codesIn,
  postHead as head,
  rawExchange,
  statusesIn,
} from './support/raw-exchange.js'
import { get, serve, stagePath, validatePath } from './support/serve.js'
import { authenticate, echoing } from './support/some-use-cases.js'

test('garbage behind a good request waits for its answer, then ends the connection', async (t) => {
  const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 100))
  const { port } = await serve(t, {
    validateAccount: () =>
      TE.fromTask(async () => slowly().then(() => ({ account: { a: 1 }, warnings: [] }))),
  })
  const answer = await rawExchange(port, [
    `${head(validatePath, 'Content-Length: 2')}{}`,
    '\u0000garbage\r\n\r\n',
  ])
  t.deepEqual(statusesIn(answer), [200])
  t.regex(answer, /\{"a":1\}$/)
})

test('garbage that comes in many pieces behind a good request leaves one listener', async (t) => {
  const warnings: string[] = []
  const warned = ({ message }: Error): unknown => warnings.push(message)
  process.on('warning', warned)
  t.teardown(() => process.off('warning', warned))
  let letGo = (): void => undefined
  const until = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { port } = await serve(t, {
    validateAccount: () => TE.fromTask(() => until.then(() => ({ account: {}, warnings: [] }))),
  })
  const answer = await rawExchange(port, [`${head(validatePath, 'Content-Length: 2')}{}`], (socket) => {
    let left = 40
    const next = (): void => {
      if (left-- > 0) socket.write('\u0000garbage\r\n\r\n', () => setTimeout(next, 5))
      else letGo()
    }
    setTimeout(next, 5)
  })
  t.deepEqual(statusesIn(answer), [200])
  t.deepEqual(warnings, [])
})

test('pipelined requests are answered in order, refused bodies read past', async (t) => {
  const { port } = await serve(t, echoing)
  const refused = `${head(stagePath, 'Content-Length: 6').replace('Token good', 'Token bad')}{"a":1`
  const good = `${head(validatePath, 'Content-Length: 2', 'Connection: close')}{}`
  const answer = await rawExchange(port, [`${refused}${good}`])
  t.deepEqual(statusesIn(answer), [401, 200])
})

test('a declared length over the limit is refused before anything was read', async (t) => {
  const { port } = await serve(t, {})
  const answer = await rawExchange(port, [head(stagePath, 'Content-Length: 5242881')], (socket) => {
    socket.on('data', () => socket.end())
  })
  t.deepEqual(statusesIn(answer), [413])
  t.deepEqual(codesIn(answer), ['payload_too_large'])
})

test('without a good token the body is not waited for', async (t) => {
  const { port } = await serve(t, {})
  const stranger = head(stagePath, 'Content-Length: 1000').replace('Token good', 'Token bad')
  const answer = await rawExchange(port, [stranger], (socket) => {
    socket.on('data', () => socket.end())
  })
  t.deepEqual(codesIn(answer), ['authentication_failed'])
})

test('a request that waits behind another one is no error when its client goes away before its body is read', async (t) => {
  const gone = new Promise<void>((resolve) => {
    subscribe('http.server.request.start', (message) => {
      const { socket, request } = message as { socket: Socket; request: IncomingMessage }
      if (request.headers['x-request-id'] === 'first') socket.once('close', () => resolve())
    })
  })
  const { port, logged } = await serve(t, {
    authenticate: (token) =>
      pipe(
        TE.fromTask(() => gone),
        TE.flatMap(() => authenticate(token)),
      ),
  })
  const parts = [
    `${head(stagePath, 'Content-Length: 2', 'X-Request-Id: first')}{}`,
    head(stagePath, 'Content-Length: 2'),
  ]
  await rawExchange(port, parts, (socket) => {
    setTimeout(() => socket.destroy(), 50)
  })
  while (logged.length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
  t.deepEqual(
    logged.map(({ level, aborted, code }) => ({ level, aborted, code })),
    [1, 2].map(() => ({ level: 'info', aborted: true, code: undefined })),
  )
})

test('clients that go away in the middle of a body are no errors', async (t) => {
  const { baseUrl, port, logged } = await serve(t, {})
  const packed = gzipSync('{"a":1}')
  const starts = [
    [head(stagePath, 'Content-Length: 100'), '{"a":'],
    [head(stagePath, 'Transfer-Encoding: chunked'), '5\r\n{"a":\r\n'],
    [head(stagePath, `Content-Length: ${packed.length}`, 'Content-Encoding: gzip'), packed.subarray(0, 5)],
  ] as const
  for (const parts of starts) {
    const answer = await rawExchange(port, parts, (socket) => {
      setTimeout(() => socket.destroy(), 50)
    })
    t.is(answer, '')
  }
  t.is((await get(`${baseUrl}/nowhere`)).status, 404)
  t.deepEqual(
    logged.map(({ level, status, aborted, code }) => ({ level, status, aborted, code })),
    [
      ...starts.map(() => ({ level: 'info', status: 0, aborted: true, code: undefined })),
      { level: 'info', status: 404, aborted: false, code: 'not_found' },
    ],
  )
})

test.serial('a half-closed connection still gets its answer', async (t) => {
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

test('scheme and host of a request target reach no document and no location', async (t) => {
  const { port } = await serve(t, {}, { basePath: '/imports' })
  const asked = (target: string): Promise<string> =>
    rawExchange(port, [`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
  const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n'))
  const document = bodyOf(await asked('/imports/openapi.json'))
  t.true(document.includes('"servers":[{"url":"/imports"}]'))
  t.is(bodyOf(await asked('http://h1.example/imports/openapi.json')), document)
  t.regex(await asked('http://evil.example/imports'), /\nLocation: \/imports\/docs\/\r/i)
  t.regex(await asked('http://evil.example'), /\nLocation: \/imports\/docs\/\r/i)
})

test('a request that expects something strange is served', async (t) => {
  const { port } = await serve(t, echoing)
  const answer = await rawExchange(port, [
    head(validatePath, 'Content-Length: 2', 'Expect: tea', 'Connection: close'),
    '{}',
  ])
  t.deepEqual(statusesIn(answer), [200])
})
