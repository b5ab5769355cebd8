import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import type { LogEntry } from '../log-entry.js'
import { isMoving } from '../body/moving-request.js'
import { requestIdOf } from '../request-id-of.js'
import { brokenRequest } from './broken-request.js'
import { endConnection } from './end-connection.js'

export type HttpServerOptions = Readonly<{
  /**
   * How long a request may take to arrive, headers and body; 60 000 ms by default. Bodies that are streams of lines may
   * take longer, as long as they move.
   */
  requestTimeoutMilliseconds?: number
  /** How long an idle connection is kept; 65 000 ms by default, a little longer than proxies keep theirs. */
  keepAliveMilliseconds?: number
  /** Gets an entry for each request that is refused before the application sees it; nobody by default. */
  log?: (entry: LogEntry) => void
}>

/** The type of an application's `callback()`. If it returns a promise, that never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

const settings = ({
  requestTimeoutMilliseconds = 60_000,
  keepAliveMilliseconds = 65_000,
}: HttpServerOptions) => ({
  requestTimeout: requestTimeoutMilliseconds,
  headersTimeout: Math.min(20_000, requestTimeoutMilliseconds),
  connectionsCheckingInterval: Math.min(5_000, requestTimeoutMilliseconds),
  keepAliveTimeout: keepAliveMilliseconds,
  // Node would refuse a request without Host with an empty body; nothing here depends on that header.
  requireHostHeader: false,
})

/** Node says so once for each request, and leaves it to us to end it. */
const isRequestTimeout = (error: Error): boolean =>
  'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT'

/** The methods of a service that is no proxy. */
const methods = ['GET', 'HEAD', 'POST']

/**
 * A server for the application's `callback()` whose every answer is JSON, also to what is no HTTP: Node's own
 * server answers broken requests without a body. CONNECT is refused; an offer to upgrade, which some clients make
 * with every request, is not taken up, and the request is served as it stands (RFC 9110, section 7.8).
 */
export const createHttpServer = (listener: Listener, options: HttpServerOptions = {}): Server => {
  const log = options.log ?? (() => undefined)
  const owed = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(settings(options))
  server.on('request', (request, response) => {
    owed.set(request.socket, response)
    response.once('close', () => {
      // While the body of its request is still coming, the answer is remembered: broken bytes then belong to that body.
      if (request.complete && owed.get(request.socket) === response) owed.delete(request.socket)
    })
    listener(request, response)
  })
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error, socket) => {
    const latest = owed.get(socket)
    if (isRequestTimeout(error) && latest !== undefined && isMoving(latest.req)) return
    endConnection(socket, latest, brokenRequest(error, latest), log)
  })
  server.on('connect', ({ headers }: IncomingMessage, socket) => {
    // The server no longer handles such a connection, so its errors have to be handled here.
    socket.on('error', () => socket.destroy())
    const requestId = requestIdOf(headers['x-request-id'])
    const refusal = { _tag: 'MethodNotAllowed', allow: methods } as const
    endConnection(socket, owed.get(socket), { refusal, requestId, method: 'CONNECT' }, log)
  })
  return server
}
