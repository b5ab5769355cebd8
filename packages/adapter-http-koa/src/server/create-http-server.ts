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

/** The event loop accepts one connection a turn: for a moment after each, turns are short, so that others behind it are accepted. */
const accepting = { milliseconds: 20, sliceMilliseconds: 0.5 }

/** How often the delay of the event loop is looked at, and how finely it is measured, milliseconds. */
const sampling = { every: 500, resolution: 20 }

/** Requests wait in one line, as nobody knows whose they are before they have begun. */
const owner = ''

/**
 * Admission queue of requests: a bounded part of each turn of the event loop begins them, the others wait in a bounded line. A
 * request that need not wait costs a look at the clock.
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

  /** From now on the delay of the event loop is looked at. */
  open(): void {
    this.delay.enable()
    this.sampler ??= setInterval(() => this.sample(), sampling.every).unref()
  }

  /** Begins the work, now or in its turn; false where it may not even wait. */
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

  /** To be called for each connection that comes. */
  accepted(): void {
    this.acceptedAt = performance.now()
  }

  /** Work that is wanted no more leaves the line. */
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
    // Without a sample it is not a number. The measure is the time between two looks.
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

/** The tables are long where there are many connections, and many may be looked at in the same moment. */
const keepMilliseconds = 1000

let latest: Readonly<{ held: Held; at: number }> | undefined

const heldNow = (): Held => {
  const now = performance.now()
  if (latest === undefined || now - latest.at > keepMilliseconds) latest = { held: read(), at: now }
  return latest.held
}

/**
 * How much of what was sent the client has taken: a number that grows while it reads. The system takes some MB of an
 * answer for itself, and says nothing until a third of them is gone, which takes a slow reader minutes; so it is asked for
 * what it holds. Where it does not say, what it holds counts as taken.
 */
const bytesTaken = ({ bytesWritten, writableLength, localPort, remotePort }: Socket): number =>
  bytesWritten - writableLength - (heldNow().get(`${localPort} ${remotePort}`) ?? 0)

/** The memory of a connection. */
type Connection = {
  /** Answers that are owed. */
  readonly owed: Set<ServerResponse>
  /** The latest one of them, or of a request whose body is still coming although it was answered. */
  latest: ServerResponse | undefined
  /** An answer that ends the connection is on its way: nothing more that comes is looked at. */
  isEnding: boolean
  /** How much its client had taken when it was last found to take its time. */
  taken: number | undefined
}

/** The answer that what comes next may belong to: none where the latest one was given, and its request came whole since. */
const latestOf = ({ latest }: Connection): ServerResponse | undefined =>
  latest !== undefined && latest.closed && latest.req.complete ? undefined : latest

/**
 * Follows the connections of a server. Node tells only the answer whose turn it is that its connection is gone; the others that
 * are owed are told here, so that whoever waits for their `close` does not wait for ever.
 */
const connectionsOf = (server: Server): ((socket: Duplex) => Connection) => {
  const connections = new WeakMap<Duplex, Connection>()
  const connectionOf = (socket: Duplex): Connection => {
    const known = connections.get(socket)
    if (known !== undefined) return known
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
  turnstile?: Readonly<{
    /** For so long work is begun in one turn of the event loop; 5 ms by default. */
    sliceMilliseconds?: number
    /** How many may wait for their turn; 512 by default. */
    mostWaiting?: number
    /** When work waits and the event loop is later than this on average, nothing new is taken; 1000 ms by default. */
    lateMilliseconds?: number
  }>
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
