import type { Account, Plan } from '../request.js'

const validate = '/v1/data-import/validate-account/'

type Parts = Readonly<{ method?: string; target?: string; text: (head: string) => string }>

const head = (method: string, target: string, { tokens }: Account): string =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Token ${tokens.full}\r\nContent-Type: application/json\r\n`

const forms: readonly Parts[] = [
  { text: () => '\u0000\u0001\u0002\r\n\r\n' },
  { text: () => 'GET\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/9.9\r\nHost: x\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/0.9\r\nHost: x\r\n\r\n' },
  { text: () => 'get /nowhere HTTP/1.1\r\nHost: x\r\n\r\n' },
  { text: () => 'GET  /nowhere HTTP/1.1\r\nHost: x\r\n\r\n' },
  { text: () => 'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n' },
  { text: () => 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/1.1\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/1.1\r\nHost : a\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/1.1\r\nHost: a\r\nX\u0000: b\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/1.1\r\nHost: a\r\nX: b\u0001\r\n\r\n' },
  { text: () => `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n` },
  { text: () => `GET /nowhere HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n` },
  { text: () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003' },
  { text: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { text: () => 'GET /nowhere HTTP/1.0\r\n\r\n' },
  { text: (start) => `${start}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}` },
  { text: (start) => `${start}Content-Length: 2, 2\r\n\r\n{}` },
  { text: (start) => `${start}Content-Length: -1\r\n\r\n{}` },
  { text: (start) => `${start}Content-Length: +2\r\n\r\n{}` },
  { text: (start) => `${start}Content-Length: 0x2\r\n\r\n{}` },
  { text: (start) => `${start}Content-Length: 99999999999999999999\r\n\r\n{}` },
  { text: (start) => `${start}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n` },
  { text: (start) => `${start}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n` },
  { text: (start) => `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n` },
  { text: (start) => `${start}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n` },
  { text: (start) => `${start}Transfer-Encoding: chunked\r\n\r\n2;a="b"\r\n{}\r\n0\r\nX: y\r\n\r\n` },
  { text: (start) => `${start}Transfer-Encoding: chunked\r\n\r\n2\r\n{}zz\r\n` },
  { text: (start) => `${start}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}` },
  { text: (start) => `${start}Transfer-Encoding: chunked\r\n\r\n${'0'.repeat(5000)}2\r\n{}\r\n0\r\n\r\n` },
  { text: (start) => `${start}Content-Length: 2\r\n\r\n{}GET /smuggled HTTP/1.1\r\n` },
  { text: (start) => `${start}Content-Length: 0\r\n\r\n` },
  { text: (start) => `${start}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}` },
  { method: 'CONNECT', target: 'evil.example:443', text: (start) => `${start}\r\n` },
  { method: 'OPTIONS', target: '*', text: (start) => `${start}\r\n` },
  { method: 'TRACE', target: validate, text: (start) => `${start}\r\n` },
]

/** Requests that no client library would write, byte by byte. */
export const rawPlans: readonly Plan[] = forms.map(
  ({ method = 'POST', target = validate, text }): Plan =>
    (account) => {
      const raw = Buffer.from(text(head(method, target, account)), 'latin1')
      // The answer to CONNECT would be taken for a tunnel.
      const read = method === 'CONNECT' ? 'GET' : method
      return [[{ sent: { method: read, target, headers: [], raw } }]]
    },
)
