import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TransportRefusal } from '@account-import/http-contract'
import { isMoving } from '../body/moving-request.js'
import { requestIdOf } from '../context.js'
import type { LogEntry } from '../log-entry.js'
import { bytesTaken, type Connection, connectionsOf, latestOf } from './connections.js'
import { answerRefusal, brokenRequest, endConnection, refusalOf } from './refusals.js'
import { Turnstile, type TurnstileOptions } from './turnstile.js'

export type HttpServerOptions = Readonly<{
  /** How long the head of a request may take to arrive; 10 000 ms by default, and never longer than the request. */
  headersTimeoutMilliseconds?: number
  /**
   * How long a request may take to arrive, head and body; 30 000 ms by default. Bodies that are streams of lines may
   * take longer, as long as they move.
   */
  requestTimeoutMilliseconds?: number
  /** After how long a connection ends whose client takes nothing of an answer; 30 000 ms by default. */
  unreadTimeoutMilliseconds?: number
  /** How long an idle connection is kept; 65 000 ms by default, a little longer than proxies keep theirs. */
  keepAliveMilliseconds?: number
  /** Connections at one time at most; 4000 by default. Further ones are closed as they come. */
  maxConnections?: number
  /** Requests of one connection that may wait for their answers; 8 by default. The next one is refused, and is the last. */
  maxUnanswered?: number
  /** When new requests wait, and when they are refused. */
  turnstile?: TurnstileOptions
  /** Gets an entry for each request that is refused before the application sees it; nobody by default. */
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

/** Node says so once for each request, and leaves it to us to end it. */
const isRequestTimeout = (error: Error): boolean =>
  'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT'

/** The methods of a service that is no proxy. */
const methods = ['GET', 'HEAD', 'POST']

/** Probes and metrics have to be answered above all when the service has too much to do. */
const probes = new Set<string | undefined>(['/livez', '/readyz', '/metrics'])

const tooMany: TransportRefusal = { _tag: 'Throttled', retryAfterSeconds: 1 }
const busy: TransportRefusal = { _tag: 'ServiceBusy', retryAfterSeconds: 1 }

/**
 * A server for the application's `callback()` whose every answer is JSON, also to what is no HTTP: Node's own
 * server answers broken requests without a body. CONNECT is refused; an offer to upgrade, which some clients make
 * with every request, is not taken up, and the request is served as it stands (RFC 9110, section 7.8).
 */
export const createHttpServer = (listener: Listener, options: HttpServerOptions = {}): Server => {
  const { maxUnanswered = 8, log = () => undefined } = options
  const turnstile = new Turnstile(options.turnstile)
  const server = createServer(settings(options))
  server.maxConnections = options.maxConnections ?? 4000
  // A client that has taken nothing from one time to the next has had both.
  server.timeout = (options.unreadTimeoutMilliseconds ?? 30_000) / 2
  const connectionOf = connectionsOf(server)
  const follow = (connection: Connection, response: ServerResponse, work: () => void): void => {
    connection.owed.add(response)
    connection.latest = response
    response.once('close', () => {
      connection.owed.delete(response)
      turnstile.leave(work)
      // While the body of its request is still coming, the answer is remembered: broken bytes then belong to that body.
      if (response.req.complete && connection.latest === response) connection.latest = undefined
    })
  }
  server.on('request', (request, response) => {
    const connection = connectionOf(request.socket)
    const work = (): void => void listener(request, response)
    follow(connection, response, work)
    if (connection.isEnding) return void request.socket.pause()
    const refusal = connection.owed.size > maxUnanswered ? tooMany : refusalOf(request)
    if (refusal !== undefined) {
      connection.isEnding = true
      response.shouldKeepAlive = false
      request.socket.pause()
      return answerRefusal(request, response, refusal, log)
    }
    if (probes.has(request.url)) work()
    else if (!turnstile.enter(work)) answerRefusal(request, response, busy, log)
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
    // Where nothing waits to be taken, the service itself is at work.
    if (socket.destroyed || socket.writableLength === 0) return
    const taken = bytesTaken(socket)
    if (taken === connection.taken) return socket.destroy()
    connection.taken = taken
    socket.setTimeout(server.timeout)
  })
  server.on('connect', ({ headers }: IncomingMessage, socket) => {
    // The server no longer handles such a connection, so its errors have to be handled here.
    socket.on('error', () => socket.destroy())
    const requestId = requestIdOf(headers['x-request-id'])
    const refusal = { _tag: 'MethodNotAllowed', allow: methods } as const
    endConnection(socket, latestOf(connectionOf(socket)), { refusal, requestId, method: 'CONNECT' }, log)
  })
  server.on('connection', () => turnstile.accepted())
  server.on('listening', () => turnstile.open())
  server.on('close', () => turnstile.close())
  return server
}
