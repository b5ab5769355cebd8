import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Problem, problemOf, type TransportRefusal } from '@account-import/http-contract'
import { type LogEntry, requestIdOf } from '../context.js'
import { fixedHeaders } from '../answers.js'

/** The client whose request was refused without the application being asked. */
type Refused = Readonly<{
  requestId: string
  /** `unknown` where what came cannot be read. */
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

/** Answers a request in its turn without the application being asked, and logs it. */
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

/** A refusal that ends a connection without the application being asked. */
type Ending = Readonly<{
  refusal: TransportRefusal
  requestId: string
  /** `unknown` where what came cannot be read. */
  method: string
}>

/** Connections that end as soon as the answer that is owed has gone out. */
const awaited = new WeakSet<Duplex>()

/**
 * Ends a connection with a refusal. `latest` is the latest answer on it that is still owed, or that was given
 * before its request had come whole. An answer that is owed to a whole request goes out first, and is the last one;
 * where nothing of an answer has gone out yet, the refusal is answered. It is logged unless the application knows the
 * request: that one is in the log as broken off, under the same id.
 */
export const endConnection = (
  socket: Duplex,
  latest: ServerResponse | undefined,
  ending: Ending,
  log: (entry: LogEntry) => void,
): void => {
  if (latest?.req.complete === true) {
    // Every piece of what cannot be read comes here.
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
 * How a connection ends on which something came that is not HTTP. Where that was the body of a request that is
 * known, `latest` is its answer, and the id of the request stays.
 */
export const brokenRequest = (error: Error, latest: ServerResponse | undefined): Ending => ({
  refusal: { _tag: 'NotHttp', status: statuses.get('code' in error ? error.code : undefined) ?? 400 },
  requestId: requestIdOf(latest?.getHeader('X-Request-Id')),
  method: latest?.req.method ?? 'unknown',
})

const mostHeaders = 100

const versions = new Set(['1.1', '1.0'])

const hostsIn = (names: readonly string[]): number => {
  let hosts = 0
  // Names and values in turn.
  for (let i = 0; i < names.length; i += 2) {
    const name = names[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

/** Faults in the head of a request that Node's parser lets pass. HTTP/1.0 knows no Host. */
export const refusalOf = ({ httpVersion, rawHeaders }: IncomingMessage): TransportRefusal | undefined => {
  const wrong = (what: 'host' | 'headers' | 'version'): TransportRefusal => ({
    _tag: 'NotHttp',
    status: 400,
    wrong: what,
  })
  if (!versions.has(httpVersion)) return wrong('version')
  if (rawHeaders.length > 2 * mostHeaders) return wrong('headers')
  const hosts = hostsIn(rawHeaders)
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? wrong('host') : undefined
}
