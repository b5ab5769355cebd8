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

export const failureCases: readonly FailureCase[] = [
  { title: 'no such name', resolve: resolverSays('ENOTFOUND'), outcome: 'unreachable', failure: 'name' },
  {
    title: 'no resolver',
    resolve: resolverSays('EAI_AGAIN'),
    outcome: 'unavailable',
    failure: 'name_lookup',
  },
  {
    title: 'a certificate of its own',
    tls: true,
    behaviour: status(200),
    outcome: 'unreachable',
    failure: 'certificate',
    requests: 0,
  },
  {
    title: 'a private address behind its name',
    resolve: (_name, _options, found) => found(null, [{ address: '169.254.169.254', family: 4 }]),
    outcome: 'unreachable',
    failure: 'address',
    requests: 0,
  },
  { title: 'connection refused', outcome: 'unavailable', failure: 'connection' },
  { title: 'no answer', behaviour: () => () => undefined, outcome: 'unavailable', failure: 'time' },
  { title: '1 byte a second', behaviour: dripping, outcome: 'unavailable', failure: 'time' },
  { title: '1 byte a second of the body', behaviour: drippingBody, outcome: 'unavailable', failure: 'time' },
  { title: '500', behaviour: status(500), outcome: 'unavailable', failure: 'status' },
  {
    title: '503 for a second',
    behaviour: status(503, { 'retry-after': '1' }),
    outcome: 'unavailable',
    failure: 'status',
  },
  {
    title: '429 for 70 seconds',
    behaviour: status(429, { 'retry-after': '70' }),
    outcome: 'unavailable',
    retryAfterSeconds: 70,
    failure: 'busy',
    requests: 1,
  },
  { title: '429', behaviour: status(429), outcome: 'unavailable', failure: 'busy' },
  { title: '401', behaviour: status(401), outcome: 'refused', requests: 1 },
  { title: '403', behaviour: status(403), outcome: 'refused', requests: 1 },
  { title: '400', behaviour: status(400), outcome: 'refused', requests: 1 },
  { title: '404', behaviour: status(404), outcome: 'not_found', requests: 1 },
  {
    title: 'bad JSON',
    behaviour: raw('{"status": "active"'),
    outcome: 'unavailable',
    failure: 'form',
    requests: 1,
  },
  { title: 'null', behaviour: raw('null'), outcome: 'unavailable', failure: 'form', requests: 1 },
  { title: 'no body', behaviour: raw(''), outcome: 'unavailable', failure: 'form', requests: 1 },
  { title: '100 MB', behaviour: endless, outcome: 'unavailable', failure: 'size', requests: 1 },
  { title: '100 MB announced', behaviour: announced, outcome: 'unavailable', failure: 'size', requests: 1 },
  { title: 'redirect', behaviour: redirecting, outcome: 'unavailable', failure: 'redirect', requests: 1 },
  {
    title: 'cut while verifying, then not found',
    behaviour: cutThen(404),
    outcome: 'not_found',
    requests: 2,
  },
  { title: 'cut while verifying, then refused', behaviour: cutThen(403), outcome: 'refused', requests: 2 },
  { title: 'fails, then not found', behaviour: failsThen(404), outcome: 'not_found', requests: 2 },
  { title: 'fails, then verified', behaviour: failsThen(200), outcome: 'verified', requests: 2 },
]
