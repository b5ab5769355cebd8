import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import { type Problem, problemOf, type TransportRefusal } from '@account-import/http-contract'
import { fixedHeaders } from './answers.js'
import { isMoving } from './body/lines-body.js'
import { type LogEntry, requestIdOf, unreadConnections } from './context.js'

/** Interval and resolution of the measurement, milliseconds. */
const sampling = { every: 500, resolution: 20 }

/**
 * Whether the event loop is overloaded: whether its mean delay was above a limit in two intervals in a row. A single long piece of
 * work is no overload.
 */
class LateLoop {
  private readonly delay = monitorEventLoopDelay({ resolution: sampling.resolution })
  private readonly most: number
  private sampler: NodeJS.Timeout | undefined
  private intervals = 0

  constructor(milliseconds = 1000) {
    this.most = milliseconds
  }

  get isLate(): boolean {
    return this.intervals > 1
  }

  watch(): void {
    this.delay.enable()
    this.sampler ??= setInterval(() => this.sample(), sampling.every).unref()
  }

  end(): void {
    clearInterval(this.sampler)
    this.sampler = undefined
    this.delay.disable()
  }

  private sample(): void {
    const { mean } = this.delay
    this.delay.reset()
    // Without a sample, `mean` is not a number. A sample is the time between two measurements, so it contains the resolution.
    this.intervals = mean / 1e6 - sampling.resolution > this.most ? this.intervals + 1 : 0
  }
}

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
const answerRefusal = (
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
const endConnection = (
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
const brokenRequest = (error: Error, latest: ServerResponse | undefined): Ending => ({
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
const refusalOf = ({ httpVersion, rawHeaders }: IncomingMessage): TransportRefusal | undefined => {
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

/** The state of a connection. */
type Connection = {
  /** Responses that have not ended. */
  readonly owed: Set<ServerResponse>
  /** The latest pending response, or the sent response to a request whose body is still arriving. */
  latest: ServerResponse | undefined
  /** A response that ends the connection is being sent: further requests are ignored. */
  isEnding: boolean
}

/** The response that further bytes on this socket belong to; none if the latest response and its request are complete. */
const latestOf = ({ latest }: Connection): ServerResponse | undefined =>
  latest !== undefined && latest.closed && latest.req.complete ? undefined : latest

/**
 * Tracks the connections of a server. When a connection closes, Node emits `close` only for the current response. This function
 * emits `close` for the queued responses, so that their listeners do not wait for ever.
 */
const connectionsOf = (server: Server): ((socket: Duplex) => Connection) => {
  const connections = new WeakMap<Duplex, Connection>()
  const connectionOf = (socket: Duplex): Connection => {
    const existing = connections.get(socket)
    if (existing !== undefined) return existing
    const connection = { owed: new Set<ServerResponse>(), latest: undefined, isEnding: false }
    connections.set(socket, connection)
    return connection
  }
  server.on('connection', (socket: Duplex) => {
    const { owed } = connectionOf(socket)
    socket.once('close', () =>
      setImmediate(() => {
        for (const response of owed) {
          response.destroy()
          response.emit('close')
        }
      }),
    )
  })
  return connectionOf
}

export type HttpServerOptions = Readonly<{
  /** Time-out of the head of a request; 10 000 ms by default, and never longer than that of the request. */
  headersTimeoutMilliseconds?: number
  /**
   * Time-out of a request, head and body; 30 000 ms by default. Bodies that are streams of lines may take longer, as long as
   * bytes arrive.
   */
  requestTimeoutMilliseconds?: number
  /** Time-out of a connection whose client reads nothing of a response; 30 000 ms by default. */
  unreadTimeoutMilliseconds?: number
  /** Time-out of an idle connection; 65 000 ms by default, a little longer than that of proxies. */
  keepAliveMilliseconds?: number
  /** Concurrent connections; 4000 by default. Further connections are closed at once. */
  maxConnections?: number
  /** Requests of one connection without a response; 8 by default. One more is refused, and ends the connection. */
  maxUnanswered?: number
  /**
   * While the event loop is later than this on average, at most 32 requests are begun at one time, probes excepted; 1000 ms by
   * default.
   */
  lateMilliseconds?: number
  /** Receives an entry for each request that is refused before the application; nothing is logged by default. */
  log?: (entry: LogEntry) => void
}>

/** The type of an application's `callback()`. If it returns a promise, that never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

const settings = ({
  requestTimeoutMilliseconds = 30_000,
  headersTimeoutMilliseconds = 10_000,
  keepAliveMilliseconds = 65_000,
}: HttpServerOptions) => ({
  requestTimeout: requestTimeoutMilliseconds,
  headersTimeout: Math.min(headersTimeoutMilliseconds, requestTimeoutMilliseconds),
  connectionsCheckingInterval: Math.min(1000, requestTimeoutMilliseconds),
  keepAliveTimeout: keepAliveMilliseconds,
  // Node would refuse a request without Host with an empty body.
  requireHostHeader: false,
})

/** Node reports the time-out once for each request, and leaves the end of the connection to the listener. */
const isRequestTimeout = (error: Error): boolean =>
  'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT'

/** The methods of a service that is no proxy. */
const methods = ['GET', 'HEAD', 'POST']

/** Requests that are never refused because of overload, as they matter most then. */
const probes = new Set<string | undefined>(['/livez', '/readyz', '/metrics'])

/** Requests that may be under way while the event loop is late: few have other causes, such as a busy machine. */
const mostWhileLate = 32

const tooMany: TransportRefusal = { _tag: 'Throttled', retryAfterSeconds: 1 }
const busy: TransportRefusal = { _tag: 'ServiceBusy', retryAfterSeconds: 1 }

/**
 * A server for the application's `callback()`. Every response is JSON, also to bytes that are not HTTP: Node's own server answers
 * broken requests without a body. CONNECT is refused. An offer to upgrade, which some clients send with every request, is
 * ignored, and the request is served (RFC 9110, section 7.8).
 */
export const createHttpServer = (listener: Listener, options: HttpServerOptions = {}): Server => {
  const { maxUnanswered = 8, log = () => undefined } = options
  const loop = new LateLoop(options.lateMilliseconds)
  // A client may end its side of the connection after its request, and still read the answer.
  const server = Object.assign(createServer(settings(options)), { httpAllowHalfOpen: true })
  server.maxConnections = options.maxConnections ?? 4000
  server.timeout = options.unreadTimeoutMilliseconds ?? 30_000
  const connectionOf = connectionsOf(server)
  let underWay = 0
  const follow = (connection: Connection, response: ServerResponse): void => {
    connection.owed.add(response)
    connection.latest = response
    underWay += 1
    response.once('close', () => {
      underWay -= 1
      connection.owed.delete(response)
      // While the body of its request is still arriving, broken bytes belong to that body, so the response is kept.
      if (response.req.complete && connection.latest === response) connection.latest = undefined
    })
  }
  server.on('request', (request, response) => {
    const connection = connectionOf(request.socket)
    follow(connection, response)
    if (connection.isEnding) return void request.socket.pause()
    const refusal = connection.owed.size > maxUnanswered ? tooMany : refusalOf(request)
    if (refusal !== undefined) {
      connection.isEnding = true
      response.shouldKeepAlive = false
      request.socket.pause()
      return answerRefusal(request, response, refusal, log)
    }
    if (loop.isLate && underWay > mostWhileLate && !probes.has(request.url))
      answerRefusal(request, response, busy, log)
    else listener(request, response)
  })
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error, socket) => {
    const latest = latestOf(connectionOf(socket))
    if (isRequestTimeout(error) && latest !== undefined && isMoving(latest.req)) return
    endConnection(socket, latest, brokenRequest(error, latest), log)
  })
  server.on('timeout', (socket: Socket) => {
    const connection = connectionOf(socket)
    if (connection.owed.size === 0) socket.destroy()
    // Without buffered bytes, the client is waiting for the service. Otherwise it took nothing for the whole time.
    if (socket.writableLength === 0) return
    unreadConnections.add(socket)
    socket.destroy()
  })
  server.on('connect', ({ headers }: IncomingMessage, socket) => {
    // The server no longer handles such a connection, so its errors have to be handled here.
    socket.on('error', () => socket.destroy())
    const requestId = requestIdOf(headers['x-request-id'])
    const refusal = { _tag: 'MethodNotAllowed', allow: methods } as const
    endConnection(socket, latestOf(connectionOf(socket)), { refusal, requestId, method: 'CONNECT' }, log)
  })
  server.on('listening', () => loop.watch())
  server.on('close', () => loop.end())
  return server
}
