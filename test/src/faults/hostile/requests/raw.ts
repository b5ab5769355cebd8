import type { Account, Plan } from '../request.js'

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

/** What follows the head of a request that is good so far. */
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

// The answer to CONNECT would be taken for a tunnel.
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
