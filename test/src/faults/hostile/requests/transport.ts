import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { canary, texts, type Account, type Header, type Plan, type Request } from '../exchange.js'

/** Changes a request as a wrong client, a bad proxy or an attacker would. */
type Change = (request: Request) => Request

const without = (headers: readonly Header[], name: string): readonly Header[] =>
  headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase())

/** The known properties of a body do not hold once it is sent in another way. */
const changed = ({ sent }: Request, change: Partial<Request['sent']>): Request => ({
  sent: { ...sent, ...change },
})

const withHeader =
  (name: string, ...values: readonly string[]): Change =>
  (request) =>
    changed(request, {
      headers: [...without(request.sent.headers, name), ...values.map((value): Header => [name, value])],
    })

/** As `withHeader`, for headers that do not concern the body. */
const beside =
  (name: string, ...values: readonly string[]): Change =>
  (request) => ({ ...request, ...withHeader(name, ...values)(request) })

type Pack = (body: Uint8Array) => Uint8Array

const packed = (pack: Pack, encoding: string): Change => {
  const withEncoding = withHeader('Content-Encoding', encoding)
  return (request) => withEncoding(changed(request, { body: pack(request.sent.body ?? new Uint8Array()) }))
}

const damaged =
  (pack: Pack): Change =>
  (request) => ({ ...packed(pack, 'gzip')(request), mayBeCut: true })

const contentTypes = texts(
  'application/json|APPLICATION/JSON|application/json; charset=utf-8|application/json; charset=UTF-16',
  'application/json; charset=iso-8859-1|application/json;charset|application/json; charset="',
  'application/json, application/json|application/x-ndjson|application/x-ndjson; charset=utf-8',
  'application/graphql|application/vnd.api+json|multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded|text/plain|*/*||\u00e9',
)

const accepts = texts(
  '*/*|application/json|application/graphql-response+json|application/x-ndjson|application/json;q=0',
  `application/json;q=zz, text/html|text/html||,|application/*;q=0.1, */*;q=0|${'x'.repeat(4000)}`,
)

const authorizations = texts(
  `|Token|Token |Token x y|Basic YTpi|Bearer x.y.z|Token ${canary}|Token eyJhbGciOiJub25lIn0.e30.`,
  `Token ${'x'.repeat(8000)}|Token \u00e9`,
)

const odd: readonly Change[] = [
  ...contentTypes.map((type) => withHeader('Content-Type', type)),
  withHeader('Content-Type'),
  withHeader('Content-Type', 'application/json', 'text/plain'),
  ...accepts.map((accept) => beside('Accept', accept)),
  ...authorizations.map((value) => beside('Authorization', value)),
  beside('Authorization'),
  beside('Authorization', 'Token a', 'Token b'),
  packed(gzipSync, 'gzip'),
  packed(gzipSync, 'X-GZIP'),
  damaged((body) => gzipSync(body).subarray(0, -4)),
  packed((body) => Buffer.concat([gzipSync(body), gzipSync(body)]), 'gzip'),
  damaged((body) => Buffer.concat([gzipSync(body), Buffer.from('rest')])),
  packed((body) => gzipSync(gzipSync(body)), 'gzip, gzip'),
  ...texts('gzip|br|identity|').map((encoding) => packed((body) => body, encoding)),
  packed(() => new Uint8Array(), 'gzip'),
  withHeader('Transfer-Encoding', 'chunked'),
  ...['k', 'x'.repeat(255), 'x'.repeat(256), '', 'a b', '\u00e9', canary].map((key) =>
    beside('Idempotency-Key', key),
  ),
  beside('Idempotency-Key', 'a', 'b'),
  ...['id-1', '', 'x'.repeat(500), 'a b', '\u00e9', '<script>'].map((id) => beside('X-Request-Id', id)),
  beside('Expect', '100-continue'),
  beside('Expect', 'nonsense'),
  beside('TE', 'trailers'),
  beside('Range', 'bytes=0-1'),
  beside('If-None-Match', '*'),
  beside('If-Match', '"x"'),
  beside('Cookie', 'a='.repeat(1000)),
  beside('X-HTTP-Method-Override', 'DELETE'),
  beside('X-Forwarded-For', `${canary}, ::1`),
  beside('Upgrade', 'websocket'),
  beside('Host', 'evil.example:99999'),
  beside('Host', ''),
  beside('Host', 'a', 'b'),
  beside('Origin', 'null'),
  beside('Accept-Language', 'x'.repeat(3000)),
  beside('__proto__', canary),
  (request) => ({
    ...request,
    ...changed(request, {
      headers: [...request.sent.headers, ...Array.from({ length: 101 }, (_, i): Header => [`X-${i}`, 'x'])],
    }),
  }),
]

const methods = texts('GET|HEAD|OPTIONS|TRACE|PUT|PATCH|DELETE|PROPFIND|M-SEARCH|PURGE|POST')

/** An invalid path is refused before the method is read: HEAD would have no body. */
const isPath = ({ sent }: Request): boolean => /^[!-~]*$/.test(sent.target)

const otherMethods = methods.map(
  (method): Change =>
    (request) =>
      method === 'HEAD' && !isPath(request) ? request : changed(request, { method }),
)

/** One of these, for one request in three; with another method for one in ten. */
export const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Change>((request) => request) },
  { weight: 6, arbitrary: fc.constantFrom(...odd) },
  { weight: 2, arbitrary: fc.constantFrom(...otherMethods) },
)

/** The steps for every endpoint in turn. */
export const everyChange: readonly Change[] = [...odd, ...otherMethods]

const validate = '/v1/data-import/validate-account/'

/** All that is sent. */
const whole: readonly string[] = [
  '\u0000\u0001\u0002\r\n\r\n',
  'GET\r\n\r\n',
  'GET /nowhere HTTP/9.9\r\nHost: x\r\n\r\n',
  'GET /nowhere HTTP/0.9\r\nHost: x\r\n\r\n',
  'get /nowhere HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET  /nowhere HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\nHost : a\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\nHost: a\r\nX\u0000: b\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\nHost: a\r\nX: b\u0001\r\n\r\n',
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET /nowhere HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /nowhere HTTP/1.0\r\n\r\n',
]

/** The bytes after the head of a request that is good so far. */
const rest: readonly string[] = [
  'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'Content-Length: 2, 2\r\n\r\n{}',
  'Content-Length: -1\r\n\r\n{}',
  'Content-Length: +2\r\n\r\n{}',
  'Content-Length: 0x2\r\n\r\n{}',
  'Content-Length: 99999999999999999999\r\n\r\n{}',
  'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\n2;a="b"\r\n{}\r\n0\r\nX: y\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\n2\r\n{}zz\r\n',
  'Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}',
  `Transfer-Encoding: chunked\r\n\r\n${'0'.repeat(5000)}2\r\n{}\r\n0\r\n\r\n`,
  'Content-Length: 2\r\n\r\n{}GET /smuggled HTTP/1.1\r\n',
  'Content-Length: 0\r\n\r\n',
  'Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}',
]

const head = (method: string, target: string, { tokens }: Account): string =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Token ${tokens.full}\r\nContent-Type: application/json\r\n`

// The response to CONNECT would be read as a tunnel.
const rawPlan =
  (text: (account: Account) => string, method = 'POST', target = validate): Plan =>
  (account) => {
    const raw = Buffer.from(text(account), 'latin1')
    return [[{ sent: { method: method === 'CONNECT' ? 'GET' : method, target, headers: [], raw } }]]
  }

/** Requests that no client library would write, byte by byte. */
export const rawPlans: readonly Plan[] = [
  ...whole.map((text) => rawPlan(() => text)),
  ...rest.map((text) => rawPlan((account) => head('POST', validate, account) + text)),
  ...[['CONNECT', 'evil.example:443'] as const, ['OPTIONS', '*'] as const, ['TRACE', validate] as const].map(
    ([method, target]) => rawPlan((account) => `${head(method, target, account)}\r\n`, method, target),
  ),
]
