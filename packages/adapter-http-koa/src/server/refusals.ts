import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Problem, problemOf, type TransportRefusal } from '@account-import/http-contract'
import { type LogEntry, requestIdOf } from '../context.js'
import { fixedHeaders } from '../answers.js'

/** A request that was refused before the application. */
type Refused = Readonly<{
  requestId: string
  /** `unknown` for bytes that are not HTTP. */
  method: string
}>

const refusalEntry = (
  { requestId, method }: Refused,
  { status, body }: Pick<Problem, 'status' | 'body'>,
  aborted = false,
): LogEntry => ({
  event: 'request',
  level: status === 503 ? 'warn' : 'info',
  requestId,
  method,
  route: 'unmatched',
  status,
  durationMs: 0,
  aborted,
  code: body.code,
})

/** A whole answer as text for the socket; the connection ends with it. */
const rawAnswer = ({ status, headers, body }: Problem, requestId: string): string => {
  const text = JSON.stringify(body)
  const all = {
    ...Object.fromEntries(fixedHeaders),
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    Date: new Date().toUTCString(),
    ...headers,
    Connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n')
}

const always = { ...Object.fromEntries(fixedHeaders), 'Content-Type': 'application/json; charset=utf-8' }

/** Refuses a request in its turn before the application, and logs it. */
export const answerRefusal = (
  request: IncomingMessage,
  response: ServerResponse,
  refusal: TransportRefusal,
  log: (entry: LogEntry) => void,
): void => {
  const requestId = requestIdOf(request.headers['x-request-id'])
  const problem = problemOf(refusal, requestId)
  const text = JSON.stringify(problem.body)
  const length = Buffer.byteLength(text)
  const headers = { ...always, 'X-Request-Id': requestId, 'Content-Length': length, ...problem.headers }
  response.writeHead(problem.status, headers)
  response.end(text)
  const method = request.method ?? 'unknown'
  response.once('close', () => log(refusalEntry({ requestId, method }, problem, !response.writableFinished)))
}

/** A refusal that ends a connection before the application. */
type Ending = Refused & Readonly<{ refusal: TransportRefusal }>

/** Connections that end after their pending response. */
const awaited = new WeakSet<Duplex>()

/**
 * Ends a connection with a refusal. `latest`: the latest pending response on the connection, or a response that was sent before
 * its request was complete. A pending response to a complete request is sent first, and is the last one. Otherwise the refusal is
 * sent, unless `latest` has begun. Without `latest` the refusal is logged; else the application logs the request as aborted,
 * under the same id.
 */
export const endConnection = (
  socket: Duplex,
  latest: ServerResponse | undefined,
  ending: Ending,
  log: (entry: LogEntry) => void,
): void => {
  if (latest?.req.complete === true) {
    // This function is called for every chunk that cannot be read.
    if (!awaited.has(socket)) latest.once('close', () => socket.destroy())
    awaited.add(socket)
  } else if (socket.writable && latest?.headersSent !== true) {
    const problem = problemOf(ending.refusal, ending.requestId)
    socket.end(rawAnswer(problem, ending.requestId), () => socket.destroy())
    if (latest === undefined) log(refusalEntry(ending, problem))
  } else socket.destroy()
}

const statuses = new Map<unknown, 408 | 431>([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
])

/**
 * The end of a connection with bytes that are not HTTP. If the bytes belong to the body of a request, `latest` is its response,
 * and the refusal has the id of that request.
 */
export const brokenRequest = (error: Error, latest: ServerResponse | undefined): Ending => ({
  refusal: { _tag: 'NotHttp', status: statuses.get('code' in error ? error.code : undefined) ?? 400 },
  requestId: requestIdOf(latest?.getHeader('X-Request-Id')),
  method: latest?.req.method ?? 'unknown',
})

const mostHeaders = 100

const versions = new Set(['1.1', '1.0'])

const hostsIn = (names: readonly string[]): readonly string[] => {
  const hosts: string[] = []
  // Names and values in turn.
  for (let i = 0; i < names.length; i += 2) {
    const name = names[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(names[i + 1] ?? '')
  }
  return hosts
}

/** Whether it is a host with or without a port; a request to a target without a host has an empty one (RFC 9112, section 3.2). */
const isHost = (text: string): boolean =>
  text === '' || (!/[/?#@\\\s]/.test(text) && URL.canParse(`http://${text}`))

/** Refuses faults in the head of a request that Node's parser accepts. HTTP/1.0 has no Host header. */
export const refusalOf = ({ httpVersion, rawHeaders }: IncomingMessage): TransportRefusal | undefined => {
  const wrong = (what: 'host' | 'headers' | 'version'): TransportRefusal => ({
    _tag: 'NotHttp',
    status: 400,
    wrong: what,
  })
  if (!versions.has(httpVersion)) return wrong('version')
  if (rawHeaders.length > 2 * mostHeaders) return wrong('headers')
  const [host, ...others] = hostsIn(rawHeaders)
  if (host === undefined) return httpVersion === '1.1' ? wrong('host') : undefined
  return others.length > 0 || !isHost(host) ? wrong('host') : undefined
}
