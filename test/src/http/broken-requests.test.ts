import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import type { LogEntry } from '@account-import/adapter-http-koa'
import { get, post, problemIn, serve, stagePath, validatePath } from './support/serve.js'
import { echoing } from './support/some-use-cases.js'
import {
  postHead as head,
  problemCodesIn as codesIn,
  rawExchange,
  statusesIn,
} from './support/raw-exchange.js'

const limit = 5_242_880
/** A JSON string of exactly this number of bytes. */
/** A text that cannot be packed to less than half. */
const ofBytes = (bytes: number): string =>
  `"${randomBytes(bytes / 2)
    .toString('hex')
    .padEnd(bytes - 2, 'a')
    .slice(0, bytes - 2)}"`
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const refused = [
  ['text that is not JSON', '{"a":', '400 parse_error'],
  ['nothing', '', '400 parse_error'],
  ['a trailing comma', '[1,]', '400 parse_error'],
  ['two values', '{} {}', '400 parse_error'],
  ['NaN', 'NaN', '400 parse_error'],
  ['a key twice', '{"a":{"body":1,"body":1}}', '400 parse_error'],
  ['a key twice, once with escapes', '{"body":1,"\\u0062ody":1}', '400 parse_error'],
  ['33 levels', nested(33), '400 payload_too_deep'],
  ['100 000 open brackets', '['.repeat(100_000), '400 payload_too_deep'],
  ['33 levels of objects', `${'{"a":'.repeat(32)}{}${'}'.repeat(32)}`, '400 payload_too_deep'],
  ['one byte too many', ofBytes(limit + 1), '413 payload_too_large'],
] as const

for (const [what, body, expected] of refused)
  test(`a body with ${what} is ${expected}, plain and compressed`, async (t) => {
    const { baseUrl } = await serve(t, {})
    t.is(await problemIn(t, await post(baseUrl + stagePath, body)), expected)
    const packed = await post(baseUrl + stagePath, gzipSync(body), { 'Content-Encoding': 'gzip' })
    t.is(await problemIn(t, packed), expected)
  })

const taken = [
  ['32 levels', nested(32)],
  ['brackets inside strings', JSON.stringify({ a: '['.repeat(100), b: '\\"[{'.repeat(50), '[[[[': 1 })],
  ['many lists next to each other', `[${Array.from({ length: 1000 }, () => '[[]]').join()}]`],
  ['a value that is not an object', 'null'],
  ['exactly the limit', ofBytes(limit)],
] as const

for (const [what, body] of taken)
  test(`a body with ${what} reaches the use case unchanged, plain and compressed`, async (t) => {
    const { baseUrl } = await serve(t, echoing)
    const expected: unknown = { payload: JSON.parse(body) }
    const plain = await post(baseUrl + validatePath, body)
    t.is(plain.status, 200)
    t.deepEqual(await plain.json(), expected)
    const packed = await post(baseUrl + validatePath, gzipSync(body), { 'Content-Encoding': 'GZIP' })
    t.deepEqual(await packed.json(), expected)
  })

test('the refusal of a repeated key names the place and quotes no value', async (t) => {
  const { baseUrl } = await serve(t, {})
  const text = '{\n"notes":[{"body":"canary","body":"x"}]}'
  const answer = (await (await post(baseUrl + stagePath, text)).json()) as { detail: string }
  t.is(answer.detail, 'The body has a key twice in one object at line 2, column 27. Name each key once.')
})

test('special keys reach the use case as own keys and change no prototype', async (t) => {
  const seen: unknown[] = []
  const { baseUrl } = await serve(t, {
    validateAccount: (submission) => {
      seen.push(submission.payload)
      return echoing.validateAccount(submission)
    },
  })
  await post(
    baseUrl + validatePath,
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  )
  t.deepEqual(Object.keys(seen[0] as object), ['__proto__', 'constructor'])
  t.is(Reflect.get({}, 'polluted'), undefined)
})

const notUtf8 = [
  ['Latin-1', [0x22, 0xe9, 0x22]],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
  ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['a character cut short', [0x22, 0xe2, 0x82]],
  ['UTF-16', [0xff, 0xfe, 0x22, 0x00, 0x22, 0x00]],
] as const

for (const [what, bytes] of notUtf8)
  test(`a body in ${what} is invalid_encoding`, async (t) => {
    const { baseUrl } = await serve(t, {})
    const answer = await post(baseUrl + stagePath, Uint8Array.from(bytes))
    t.is(await problemIn(t, answer), '400 invalid_encoding')
  })

test('a byte order mark before the JSON is skipped', async (t) => {
  const { baseUrl } = await serve(t, echoing)
  t.is((await post(baseUrl + validatePath, '\uFEFF{}')).status, 200)
})

const contentTypes = [
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['APPLICATION/JSON;charset="UTF-8"', true],
  ['application/json; charset=iso-8859-1', false],
  ['application/vnd.api+json', false],
  ['text/plain', false],
  ['application/x-www-form-urlencoded', false],
  ['json', false],
] as const

for (const [type, ok] of contentTypes)
  test(`Content-Type ${type} is ${ok ? 'accepted' : 'refused'}`, async (t) => {
    const { baseUrl } = await serve(t, echoing)
    const answer = await post(baseUrl + validatePath, '{}', { 'Content-Type': type })
    if (ok) t.is(answer.status, 200)
    else t.is(await problemIn(t, answer), '415 unsupported_media_type')
  })

test('a missing content type and an unknown encoding are refused', async (t) => {
  const { baseUrl } = await serve(t, {})
  const headers = { Authorization: 'Token good' }
  const untyped = await fetch(baseUrl + stagePath, {
    method: 'POST',
    headers,
    body: new Uint8Array([123, 125]),
  })
  t.is(await problemIn(t, untyped), '415 unsupported_media_type')
  const empty = await fetch(baseUrl + stagePath, { method: 'POST', headers })
  t.is(await problemIn(t, empty), '415 unsupported_media_type')
  for (const packing of ['br', 'deflate', 'gzip, gzip'])
    t.is(
      await problemIn(t, await post(baseUrl + stagePath, '{}', { 'Content-Encoding': packing })),
      '415 unsupported_media_type',
    )
})

test('broken gzip is parse_error, and the server continues', async (t) => {
  const { baseUrl } = await serve(t, echoing)
  const whole = gzipSync('{"a":1}')
  const padded = Buffer.concat([whole, Buffer.alloc(512), whole])
  for (const bytes of [
    whole.subarray(0, -5),
    Buffer.from('{}'),
    Buffer.alloc(0),
    whole.subarray(0, 3),
    padded,
  ]) {
    const answer = await post(baseUrl + stagePath, bytes, { 'Content-Encoding': 'gzip' })
    const { detail } = (await answer.clone().json()) as { detail: string }
    t.regex(detail, /^The gzip data of the body is damaged, cut short, or has other bytes behind its end\./)
    t.is(await problemIn(t, answer), '400 parse_error')
  }
  t.is((await post(baseUrl + validatePath, whole, { 'Content-Encoding': 'gzip' })).status, 200)
})

test.serial('a gzip bomb of 1 GB is refused without being unpacked', async (t) => {
  const { baseUrl } = await serve(t, {})
  const megabyte = gzipSync(Buffer.alloc(1_048_576))
  const bomb = Buffer.concat(Array.from({ length: 1024 }, () => megabyte))
  const before = process.memoryUsage().arrayBuffers
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }, 1)
  const answer = await post(baseUrl + stagePath, bomb, { 'Content-Encoding': 'gzip' })
  clearInterval(sampling)
  t.is(await problemIn(t, answer), '413 payload_too_large')
  t.true(most - before < 64 * 1_048_576, `${most - before} bytes were held`)
})

test('a streamed body above the limit is refused, and the connection continues', async (t) => {
  const { baseUrl } = await serve(t, echoing)
  const piece = new Uint8Array(1_048_576).fill(0x20)
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let i = 0; i < 6; i += 1) controller.enqueue(piece)
      controller.close()
    },
  })
  const init = {
    method: 'POST',
    body,
    duplex: 'half' as const,
    headers: { Authorization: 'Token good', 'Content-Type': 'application/json' },
  }
  t.is(await problemIn(t, await fetch(baseUrl + stagePath, init)), '413 payload_too_large')
  t.is((await get(`${baseUrl}/nowhere`)).status, 404)
})

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

const docs = 'GET /docs/ HTTP/1.1\r\n'

const noHttp = [
  ['garbage', '\u0000\u0001garbage\r\n\r\n', 400],
  ['a broken request line', 'GET / HTTP/9.9\r\n\r\n', 400],
  ['an unencoded letter in the path', 'GET /\u00e9 HTTP/1.1\r\n\r\n', 400],
  ['two lengths', head(stagePath, 'Content-Length: 2', 'Content-Length: 3') + '{}', 400],
  [
    'length and chunks together',
    head(stagePath, 'Content-Length: 2', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    400,
  ],
  ['a negative length', head(stagePath, 'Content-Length: -1'), 400],
  ['a header without a colon', 'GET / HTTP/1.1\r\nnonsense\r\n\r\n', 400],
  ['a request line of HTTP/0.9', 'GET /docs/\r\n\r\n', 400],
  ['HTTP/0.9 by name', 'GET /docs/ HTTP/0.9\r\n\r\n', 400],
  ['HTTP/2.0 by name', 'GET /docs/ HTTP/2.0\r\nHost: x\r\n\r\n', 400],
  ['headers of 100 KB', `GET / HTTP/1.1\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
  ['a request without a Host', `${docs}\r\n`, 400, 'Host'],
  ['a request with two Hosts', `${docs}Host: x\r\nHost: x\r\n\r\n`, 400, 'Host'],
  ['two Hosts in HTTP/1.0', 'GET /docs/ HTTP/1.0\r\nhost: a\r\nHOST: a\r\n\r\n', 400, 'Host'],
  ...['a:b:c', '[', 'h:99999', 'h/p', 'u@h', 'h?q', 'a b'].map(
    (host) => [`the Host ${host}`, `${docs}Host: ${host}\r\n\r\n`, 400, 'Host'] as const,
  ),
  ['101 headers', `${docs}Host: x\r\n${'X: 1\r\n'.repeat(100)}\r\n`, 400, 'headers'],
] as const

for (const [what, text, status, word = ''] of noHttp)
  test(`${what} gets ${status} as JSON, and the connection ends`, async (t) => {
    const { port, logged } = await serve(t, {})
    const answer = await rawExchange(port, [text])
    t.deepEqual(statusesIn(answer), [status])
    t.deepEqual(codesIn(answer), ['parse_error'])
    t.like(headersIn(answer), { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    t.true(answer.includes(word))
    t.like(logged, {
      length: 1,
      0: {
        requestId: idIn(answer),
        status,
        code: 'parse_error',
        route: 'unmatched',
        level: 'info',
        aborted: false,
      },
    })
  })

test('a broken chunk in a body gets 400, and nothing reaches the use case', async (t) => {
  const { port, logged } = await serve(t, {})
  const answer = await rawExchange(port, [head(stagePath, 'Transfer-Encoding: chunked'), '2\r\n{}\r\nzz\r\n'])
  t.deepEqual(statusesIn(answer), [400])
  t.deepEqual(codesIn(answer), ['parse_error'])
  t.deepEqual(
    logged.map(({ requestId, aborted, level }) => ({ requestId, aborted, level })),
    [{ requestId: idIn(answer), aborted: true, level: 'info' }],
  )
})

test('bytes that are not HTTP get a response too when they follow a request that was refused before its body', async (t) => {
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

test('CONNECT gets 405 as JSON with Allow and the sent request id, and the connection ends', async (t) => {
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
  test(`an offer to upgrade to ${protocol} is ignored, and the request is served`, async (t) => {
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

const impatient = { requestTimeoutMilliseconds: 200 }

// Before the others, whose long bodies make the event loop late.
test.serial('a body that arrives too slowly gets 408', async (t) => {
  const { port, logged } = await serve(t, {}, {}, impatient)
  const answer = await rawExchange(port, [head(stagePath, 'Content-Length: 100'), '{'])
  t.deepEqual(statusesIn(answer), [408])
  t.deepEqual(codesIn(answer), ['parse_error'])
  t.deepEqual(
    logged.map(({ requestId, status, aborted, level }) => ({ requestId, status, aborted, level })),
    [{ requestId: idIn(answer), status: 0, aborted: true, level: 'info' }],
  )
})

test('a head that arrives too slowly gets 408 and a log entry', async (t) => {
  const { port, logged } = await serve(t, {}, {}, impatient)
  const answer = await rawExchange(port, ['GET /canary HTTP/1.1\r\nX: '])
  t.deepEqual(statusesIn(answer), [408])
  t.deepEqual(logged, [entryFor({ requestId: idIn(answer), status: 408, code: 'parse_error' })])
})
