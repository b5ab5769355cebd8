import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { get, post, problemIn, serve, stagePath, validatePath } from './support/serve.js'
import { echoing } from './support/some-use-cases.js'

const limit = 5_242_880
/** A JSON string of exactly so many bytes. */
/** A text that cannot be packed to less than half. */
const ofBytes = (bytes: number): string =>
  `"${randomBytes(bytes / 2)
    .toString('hex')
    .padEnd(bytes - 2, 'a')
    .slice(0, bytes - 2)}"`
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const refused = [
  ['no JSON', '{"a":', '400 parse_error'],
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
  test(`a body with ${what} is ${expected}, plain and packed`, async (t) => {
    const { baseUrl } = await serve(t, {})
    t.is(await problemIn(t, await post(baseUrl + stagePath, body)), expected)
    const packed = await post(baseUrl + stagePath, gzipSync(body), { 'Content-Encoding': 'gzip' })
    t.is(await problemIn(t, packed), expected)
  })

const taken = [
  ['32 levels', nested(32)],
  ['brackets inside strings', JSON.stringify({ a: '['.repeat(100), b: '\\"[{'.repeat(50), '[[[[': 1 })],
  ['many lists side by side', `[${Array.from({ length: 1000 }, () => '[[]]').join()}]`],
  ['a value that is no object', 'null'],
  ['exactly the limit', ofBytes(limit)],
] as const

for (const [what, body] of taken)
  test(`a body with ${what} reaches the use case as it is, plain and packed`, async (t) => {
    const { baseUrl } = await serve(t, echoing)
    const expected: unknown = { payload: JSON.parse(body) }
    const plain = await post(baseUrl + validatePath, body)
    t.is(plain.status, 200)
    t.deepEqual(await plain.json(), expected)
    const packed = await post(baseUrl + validatePath, gzipSync(body), { 'Content-Encoding': 'GZIP' })
    t.deepEqual(await packed.json(), expected)
  })

test('the answer to a key that stands twice says where, and quotes nothing', async (t) => {
  const { baseUrl } = await serve(t, {})
  const text = '{\n"notes":[{"body":"canary","body":"x"}]}'
  const answer = (await (await post(baseUrl + stagePath, text)).json()) as { detail: string }
  t.is(answer.detail, 'The body has a key twice in one object at line 2, column 27. Name each key once.')
})

test('special keys reach the use case as own keys, without touching any prototype', async (t) => {
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

test('a byte order mark before the JSON does no harm', async (t) => {
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
  test(`Content-Type ${type} is ${ok ? 'taken' : 'refused'}`, async (t) => {
    const { baseUrl } = await serve(t, echoing)
    const answer = await post(baseUrl + validatePath, '{}', { 'Content-Type': type })
    if (ok) t.is(answer.status, 200)
    else t.is(await problemIn(t, answer), '415 unsupported_media_type')
  })

test('a missing content type and an unknown packing are refused', async (t) => {
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

test('broken gzip is parse_error, and the server goes on', async (t) => {
  const { baseUrl } = await serve(t, echoing)
  const whole = gzipSync('{"a":1}')
  for (const bytes of [whole.subarray(0, -5), Buffer.from('{}'), Buffer.alloc(0), whole.subarray(0, 3)]) {
    const answer = await post(baseUrl + stagePath, bytes, { 'Content-Encoding': 'gzip' })
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

test('a body that is streamed past the limit is refused, and the connection serves on', async (t) => {
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
