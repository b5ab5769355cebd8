import type { ServerResponse } from 'node:http'
import type { PaymentVerification } from '@account-import/core'
import type { Resolve, VendorFailureKind } from '@account-import/adapter-payment-vendor'
import type { VendorKind } from './vendor-kinds.js'
import type { Behaviour } from './vendor-server.js'

/** A way for a vendor to fail, and what the caller is to be told. */
export type FailureCase = Readonly<{
  title: string
  /** How its name is looked up, where it has one. */
  resolve?: Resolve
  /** Whether it speaks TLS, by a certificate that nobody has signed. */
  tls?: boolean
  /** Absent: nothing listens at the vendor's port. */
  behaviour?: (kind: VendorKind) => Behaviour
  outcome: PaymentVerification['_tag']
  retryAfterSeconds?: number
  failure?: VendorFailureKind
  /** Most requests that one call may make; 3 when absent. */
  requests?: number
}>

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  ({ refusal }: VendorKind): Behaviour =>
  (_nth, _request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    json(response, code, refusal)
  }

/** Bytes of the good answer, headers and all, one a second. */
const dripping =
  ({ good }: VendorKind): Behaviour =>
  (_nth, { socket }) => {
    const body = JSON.stringify(good)
    const bytes = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`.split('')
    const timer = setInterval(() => socket.write(bytes.shift() ?? ''), 1000)
    socket.on('error', () => undefined)
    socket.once('close', () => clearInterval(timer))
  }

/** Headers and a part at once, and then one byte a second. */
const drippingBody =
  ({ good }: VendorKind): Behaviour =>
  (_nth, _request, response) => {
    const body = JSON.stringify(good)
    response.writeHead(200, { 'content-type': 'application/json' }).write(body.slice(0, 10))
    let sent = 10
    const timer = setInterval(() => response.write(body[sent++] ?? ' '), 1000)
    response.once('close', () => clearInterval(timer))
  }

const megabyte = Buffer.alloc(1024 * 1024, ' ')

/** A good answer after 100 MB of space, without its length being told. */
const endless =
  ({ good }: VendorKind): Behaviour =>
  (_nth, _request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    let sent = 0
    const more = (): void => {
      sent += 1
      if (sent > 100) response.end(JSON.stringify(good))
      else if (!response.destroyed) response.write(megabyte, more)
    }
    more()
  }

const announced = (): Behaviour => (_nth, _request, response) => {
  response.writeHead(200, { 'content-length': 100 * megabyte.length }).write(megabyte)
}

/** To a place that would verify. */
const redirecting =
  ({ good }: VendorKind): Behaviour =>
  (_nth, { url }, response) => {
    if (url === '/elsewhere') json(response, 200, good)
    else response.writeHead(302, { location: '/elsewhere' }).end(JSON.stringify(good))
  }

/** A half of the good answer, then another answer the next time. */
const cutThen =
  (code: number) =>
  ({ good, refusal }: VendorKind): Behaviour =>
  (nth, _request, response) => {
    if (nth > 1) return json(response, code, refusal)
    const body = JSON.stringify(good)
    response
      .writeHead(200, { 'content-length': body.length })
      .write(body.slice(0, -1), () => response.destroy())
  }

const failsThen =
  (code: number) =>
  (kind: VendorKind): Behaviour =>
  (nth, _request, response) =>
    json(response, nth > 1 ? code : 500, nth > 1 && code === 200 ? kind.good : kind.refusal)

const raw = (text: string) => (): Behaviour => (_nth, _request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

const resolverSays =
  (code: string): Resolve =>
  (_name, _options, found) =>
    found(Object.assign(new Error(code), { code }), [])

type Behaving = NonNullable<FailureCase['behaviour']>

/** A vendor that fails so: what the caller is told, and how the guard names it. */
const fails = (
  title: string,
  outcome: FailureCase['outcome'],
  failure: VendorFailureKind,
  more: Partial<FailureCase>,
): FailureCase => ({ title, outcome, failure, ...more })

/** A vendor whose answer is of no use, and would be again. */
const useless = (title: string, failure: VendorFailureKind, behaviour: Behaving): FailureCase =>
  fails(title, 'unavailable', failure, { behaviour, requests: 1 })

/** A vendor that answers clearly, at the first or second request. */
const answers = (
  title: string,
  outcome: FailureCase['outcome'],
  behaviour: Behaving,
  requests = 1,
): FailureCase => ({ title, outcome, behaviour, requests })

const linkLocal: Resolve = (_name, _options, found) =>
  found(null, [{ address: '169.254.169.254', family: 4 }])

export const failureCases: readonly FailureCase[] = [
  fails('no such name', 'unreachable', 'name', { resolve: resolverSays('ENOTFOUND') }),
  fails('no resolver', 'unavailable', 'name_lookup', { resolve: resolverSays('EAI_AGAIN') }),
  fails('a certificate of its own', 'unreachable', 'certificate', {
    tls: true,
    behaviour: status(200),
    requests: 0,
  }),
  fails('a private address behind its name', 'unreachable', 'address', { resolve: linkLocal, requests: 0 }),
  fails('connection refused', 'unavailable', 'connection', {}),
  fails('no answer', 'unavailable', 'time', { behaviour: () => () => undefined }),
  fails('1 byte a second', 'unavailable', 'time', { behaviour: dripping }),
  fails('1 byte a second of the body', 'unavailable', 'time', { behaviour: drippingBody }),
  fails('500', 'unavailable', 'status', { behaviour: status(500) }),
  fails('503 for a second', 'unavailable', 'status', { behaviour: status(503, { 'retry-after': '1' }) }),
  fails('429 for 70 seconds', 'unavailable', 'busy', {
    behaviour: status(429, { 'retry-after': '70' }),
    retryAfterSeconds: 70,
    requests: 1,
  }),
  fails('429', 'unavailable', 'busy', { behaviour: status(429) }),
  answers('401', 'refused', status(401)),
  answers('403', 'refused', status(403)),
  answers('400', 'refused', status(400)),
  answers('404', 'not_found', status(404)),
  useless('bad JSON', 'form', raw('{"status": "active"')),
  useless('null', 'form', raw('null')),
  useless('no body', 'form', raw('')),
  useless('100 MB', 'size', endless),
  useless('100 MB announced', 'size', announced),
  useless('redirect', 'redirect', redirecting),
  answers('cut while verifying, then not found', 'not_found', cutThen(404), 2),
  answers('cut while verifying, then refused', 'refused', cutThen(403), 2),
  answers('fails, then not found', 'not_found', failsThen(404), 2),
  answers('fails, then verified', 'verified', failsThen(200), 2),
]
