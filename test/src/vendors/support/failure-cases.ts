import {
  guardedVendor,
  type Resolve,
  type OnVendorAsked,
  VendorFailure,
  type VendorFailureKind,
} from '@account-import/adapter-payment-vendor'
import type { PaymentVerification } from '@account-import/core'
import { freePort } from '@account-import/test/servers'
import type { ServerResponse } from 'node:http'
import type { VendorKind } from './vendor-kinds.js'
import { type Behaviour, startVendorServer } from './vendor-server.js'

type Asked = Parameters<OnVendorAsked>[0]

/** A failure of a vendor, and its expected outcome. */
export type FailureCase = Readonly<{
  title: string
  /** The look-up of its name, if it has one. */
  resolve?: Resolve
  /** Whether it speaks TLS, with a self-signed certificate. */
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

/** A valid response after 100 MB of space, without a declared length. */
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

/** An unrequested change to another protocol. */
const changingProtocol = (): Behaviour => (_nth, _request, response) => {
  response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
}

const failingToResolve =
  (code: string): Resolve =>
  (_name, _options, found) =>
    found(Object.assign(new Error(code), { code }), [])

type Behaving = NonNullable<FailureCase['behaviour']>

/** A vendor with this failure: the outcome, and its name in the guard. */
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
  fails('no such name', 'unreachable', 'name', { resolve: failingToResolve('ENOTFOUND') }),
  fails('no resolver', 'unavailable', 'name_lookup', { resolve: failingToResolve('EAI_AGAIN') }),
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
  useless('another protocol', 'form', changingProtocol),
  answers('cut while verifying, then not found', 'not_found', cutThen(404), 2),
  answers('cut while verifying, then refused', 'refused', cutThen(403), 2),
  answers('fails, then not found', 'not_found', failsThen(404), 2),
  answers('fails, then verified', 'verified', failsThen(200), 2),
]

/** How a caller was answered. */
type Answered = Readonly<{
  outcome: PaymentVerification['_tag']
  retryAfterSeconds: number | undefined
  milliseconds: number
}>

/** The quickest of some answers, and the most tries of all of them. */
type Broken = Answered & Readonly<{ tries: number }>

/** The observations of one run of a case. */
export type FailureRun = Readonly<{
  first: Answered
  /** The first request to the vendor. */
  asked: Asked | undefined
  requests: number
  /** With the breaker open; absent if it never opens. */
  broken?: Broken
}>

/** Whether a series of these opens the breaker: not if a client can cause it by its request. */
export const opensBreaker = ({ failure }: FailureCase): boolean =>
  failure !== undefined && new VendorFailure(failure).isOfVendor

const originOf = async ({ behaviour, resolve, tls = false }: FailureCase, kind: VendorKind) => {
  if (resolve !== undefined)
    return { origin: 'https://vendor.example', requests: [], stop: async () => undefined }
  if (behaviour !== undefined) return startVendorServer(behaviour(kind), { tls })
  return { origin: `http://127.0.0.1:${await freePort()}`, requests: [], stop: async () => undefined }
}

/** The quickest of three: other work of the machine is not the breaker's time. */
const whileBroken = async (ask: () => Promise<Answered>, asked: readonly Asked[]): Promise<Broken> => {
  const first = await ask()
  const answered = [first, await ask(), await ask()]
  const quickest = answered.reduce((best, one) => (one.milliseconds < best.milliseconds ? one : best), first)
  return { ...quickest, tries: Math.max(...asked.slice(-answered.length).map(({ tries }) => tries)) }
}

/** Requests an instruction of a failing vendor once, then until its breaker is open, and again. */
export const runFailureCase = async (kind: VendorKind, failureCase: FailureCase): Promise<FailureRun> => {
  const server = await originOf(failureCase, kind)
  const asked: Asked[] = []
  const client = kind.client(
    server.origin,
    failureCase.resolve === undefined ? {} : { resolve: failureCase.resolve },
  )
  const vendor = guardedVendor(client, { onAsked: (one) => asked.push(one) })
  const ask = async (): Promise<Answered> => {
    const begin = performance.now()
    const instruction = { organisation: 'LLUM', reference: kind.reference, type: 'CARD' }
    const { _tag: outcome, ...told } = await vendor.verify(instruction)
    const retryAfterSeconds = 'retryAfterSeconds' in told ? told.retryAfterSeconds : undefined
    return { outcome, retryAfterSeconds, milliseconds: performance.now() - begin }
  }
  try {
    const first = await ask()
    const run = { first, asked: asked[0], requests: server.requests.length }
    if (!opensBreaker(failureCase)) return run
    await Promise.all(Array.from({ length: 5 }, ask))
    const broken = await whileBroken(ask, asked)
    return { ...run, broken }
  } finally {
    await server.stop()
  }
}

const unless = (holds: boolean, wrong: string): readonly string[] => (holds ? [] : [wrong])

/** The differences between a run and its case; times are left to the caller. */
export const wrongIn = (
  failureCase: FailureCase,
  { first, asked, requests, broken }: FailureRun,
): readonly string[] => {
  const { outcome, retryAfterSeconds } = failureCase
  return [
    ...unless(first.outcome === outcome, first.outcome),
    ...unless(asked?.failure === failureCase.failure, `failure ${asked?.failure}`),
    ...unless(requests <= (failureCase.requests ?? 3), `${requests} requests`),
    ...unless((first.retryAfterSeconds !== undefined) === (outcome === 'unavailable'), 'retry after'),
    ...unless(
      retryAfterSeconds === undefined || first.retryAfterSeconds === retryAfterSeconds,
      `retry after ${first.retryAfterSeconds}`,
    ),
    ...unless(broken === undefined || broken.tries === 0, `${broken?.tries} tries with the breaker open`),
    ...unless(broken === undefined || broken.outcome === outcome, `${broken?.outcome} with the breaker open`),
  ]
}
