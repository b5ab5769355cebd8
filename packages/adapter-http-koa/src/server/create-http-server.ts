import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import type { TransportRefusal } from '@account-import/http-contract'
import { isMoving } from '../body/lines-body.js'
import { type LogEntry, requestIdOf } from '../context.js'
import { LoopSlice } from '../limits/work-budgets.js'
import { answerRefusal, brokenRequest, endConnection, refusalOf } from './refusals.js'

/** The event loop accepts one connection a turn. After each one, turns are short for a moment, so that others are accepted. */
const accepting = { milliseconds: 20, sliceMilliseconds: 0.5 }

/** Interval and resolution of the measurement of the event loop delay, milliseconds. */
const sampling = { every: 500, resolution: 20 }

/** All requests wait in one queue, as their keys are unknown before they begin. */
const owner = ''

/**
 * The admission queue: requests begin in a bounded slice of each turn of the event loop, and others wait in a bounded queue. A
 * request that does not wait costs one read of the clock.
 */
class Turnstile {
  private readonly slice: LoopSlice
  private readonly mostWaiting: number
  private readonly late: number
  private readonly delay = monitorEventLoopDelay({ resolution: sampling.resolution })
  private sampler: NodeJS.Timeout | undefined
  private acceptedAt = Number.NEGATIVE_INFINITY
  private hasWaited = false
  private isLate = false

  constructor({
    sliceMilliseconds = 5,
    mostWaiting = 512,
    lateMilliseconds = 1000,
  }: NonNullable<HttpServerOptions['turnstile']> = {}) {
    const shorter = Math.min(accepting.sliceMilliseconds, sliceMilliseconds)
    this.slice = new LoopSlice(() =>
      performance.now() - this.acceptedAt < accepting.milliseconds ? shorter : sliceMilliseconds,
    )
    this.mostWaiting = mostWaiting
    this.late = lateMilliseconds
  }

  /** Starts the measurement of the event loop delay. */
  open(): void {
    this.delay.enable()
    this.sampler ??= setInterval(() => this.sample(), sampling.every).unref()
  }

  /** Begins the work now, or queues it; false if the queue is full or the event loop is late. */
  enter(work: () => void): boolean {
    if (this.isLate) return false
    if (this.slice.mayBegin()) work()
    else if (this.slice.waiting >= this.mostWaiting) return false
    else {
      this.slice.queue(owner, work)
      this.hasWaited = true
    }
    return true
  }

  /** To be called for each new connection. */
  accepted(): void {
    this.acceptedAt = performance.now()
  }

  /** Removes waiting work from the queue. */
  leave(work: () => void): void {
    this.slice.leave(owner, work)
  }

  close(): void {
    clearInterval(this.sampler)
    this.sampler = undefined
    this.delay.disable()
  }

  private sample(): void {
    const { mean } = this.delay
    this.delay.reset()
    // Without a sample, `mean` is not a number. A sample is the time between two measurements, so it contains the resolution.
    this.isLate = this.hasWaited && mean / 1e6 - sampling.resolution > this.late
    this.hasWaited = this.slice.waiting > 0
  }
}

/** Bytes that Linux holds for each connection, by the ports of both ends: bytes that the client has not acknowledged. */
type Held = ReadonlyMap<string, number>

/** Columns: number, local address, remote address, state, bytes to be sent:received, all in hexadecimal. */
const line = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm

const textOf = (table: string): string => {
  try {
    return readFileSync(table, 'latin1')
  } catch {
    // Another system, or one without IPv6.
    return ''
  }
}

const read = (): Held => {
  const held = new Map<string, number>()
  const text = `${textOf('/proc/self/net/tcp')}\n${textOf('/proc/self/net/tcp6')}`
  for (const [, local = '', remote = '', bytes = ''] of text.matchAll(line)) {
    const ports = `${parseInt(local, 16)} ${parseInt(remote, 16)}`
    held.set(ports, (held.get(ports) ?? 0) + parseInt(bytes, 16))
  }
  return held
}

/** The tables are cached, as they are long with many connections, and many connections may be checked at once. */
const keepMilliseconds = 1000

let latest: Readonly<{ held: Held; at: number }> | undefined

const heldNow = (): Held => {
  const now = performance.now()
  if (latest === undefined || now - latest.at > keepMilliseconds) latest = { held: read(), at: now }
  return latest.held
}

/**
 * The number of sent bytes that the client has acknowledged. The system buffers some MB of a response, and the socket reports
 * progress only after a third of them, which takes a slow client minutes; so the buffered bytes are read from the tables of the
 * system. Without such tables, buffered bytes count as acknowledged.
 */
const bytesTaken = ({ bytesWritten, writableLength, localPort, remotePort }: Socket): number =>
  bytesWritten - writableLength - (heldNow().get(`${localPort} ${remotePort}`) ?? 0)

/** The state of a connection. */
type Connection = {
  /** Responses that have not ended. */
  readonly owed: Set<ServerResponse>
  /** The latest pending response, or the sent response to a request whose body is still arriving. */
  latest: ServerResponse | undefined
  /** A response that ends the connection is being sent: further requests are ignored. */
  isEnding: boolean
  /** The bytes that the client had acknowledged at the previous time-out. */
  taken: number | undefined
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
    const connection = {
      owed: new Set<ServerResponse>(),
      latest: undefined,
      isEnding: false,
      taken: undefined,
    }
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
  /** The admission queue. */
  turnstile?: Readonly<{
    /** Time in one turn of the event loop in which requests begin; 5 ms by default. */
    sliceMilliseconds?: number
    /** Requests that may wait; 512 by default. */
    mostWaiting?: number
    /** New requests are refused while others wait and the mean delay of the event loop is above this; 1000 ms by default. */
    lateMilliseconds?: number
  }>
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

/** Probes and metrics skip the admission queue, as they matter most under overload. */
const probes = new Set<string | undefined>(['/livez', '/readyz', '/metrics'])

const tooMany: TransportRefusal = { _tag: 'Throttled', retryAfterSeconds: 1 }
const busy: TransportRefusal = { _tag: 'ServiceBusy', retryAfterSeconds: 1 }

/**
 * A server for the application's `callback()`. Every response is JSON, also to bytes that are not HTTP: Node's own server answers
 * broken requests without a body. CONNECT is refused. An offer to upgrade, which some clients send with every request, is
 * ignored, and the request is served (RFC 9110, section 7.8).
 */
export const createHttpServer = (listener: Listener, options: HttpServerOptions = {}): Server => {
  const { maxUnanswered = 8, log = () => undefined } = options
  const turnstile = new Turnstile(options.turnstile)
  const server = createServer(settings(options))
  server.maxConnections = options.maxConnections ?? 4000
  // A connection ends after two time-outs in a row without progress.
  server.timeout = (options.unreadTimeoutMilliseconds ?? 30_000) / 2
  const connectionOf = connectionsOf(server)
  const follow = (connection: Connection, response: ServerResponse, work: () => void): void => {
    connection.owed.add(response)
    connection.latest = response
    response.once('close', () => {
      connection.owed.delete(response)
      turnstile.leave(work)
      // While the body of its request is still arriving, broken bytes belong to that body, so the response is kept.
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
    // Without buffered bytes, the client is waiting for the service.
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
