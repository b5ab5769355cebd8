import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseError } from './database-error.js'
import type { Client } from './knex-clients.js'

const refusal = (code: string, message: string): DatabaseError => new DatabaseError({ code, message })
export const readOnly = (): DatabaseError => refusal('DATABASE_READ_ONLY', 'the server takes no writes')
export const notInCluster = (): DatabaseError =>
  refusal('DATABASE_NOT_IN_CLUSTER', 'the server is in no part of its cluster that has the majority')

/** A server of a URL. */
export type Host<Connection> = Readonly<{
  /** Connects and sets up the session; rejects with a `DatabaseError` when the server cannot be used. */
  open(): Promise<Connection>
  /** Rejects with a `DatabaseError` when the server cannot be used any more. */
  check(connection: Connection): Promise<void>
  /** Opens a connection and ends it; rejects as `open` does. */
  answers(): Promise<void>
  /** Ends a connection at once; its statement fails with the error. */
  breakOff(connection: Connection, error: Error): void
}>

export type HostOptions<Connection> = Readonly<{
  /** A read-only server can be used too. */
  onlyReads: boolean
  /** The time limit of a connection, and of a check. */
  limitMilliseconds: number
  /** Called when a connection breaks. */
  onLost(connection: Connection): void
}>

const mostSpecific = (causes: readonly unknown[]): unknown =>
  causes.find((cause) => cause instanceof DatabaseError && cause.code?.startsWith('DATABASE_')) ?? causes[0]

/**
 * The first usable host in the order of the URL. All hosts are asked at once, because a lost host takes long to time out. After
 * the first response, the hosts before that one have `graceMilliseconds` more. Rejects with the most specific `DatabaseError`.
 */
const firstUsable = async <Connection>(
  hosts: readonly Host<Connection>[],
  graceMilliseconds: number,
): Promise<Host<Connection>> => {
  const usable = new Set<Host<Connection>>()
  const asked = hosts.map(async (host) => {
    await host.answers()
    usable.add(host)
  })
  try {
    await Promise.any(asked)
  } catch (cause) {
    throw mostSpecific((cause as AggregateError).errors)
  }
  await Promise.race([Promise.allSettled(asked), pause(graceMilliseconds, undefined, { ref: false })])
  return hosts.find((host) => usable.has(host)) as Host<Connection>
}

/** Milliseconds. `slow`, `answer` and `grace` together, less than five seconds, are the longest delay after the loss of one of several servers. */
const limits = {
  /** The time of a statement after which its server is checked. */
  slow: 1200,
  /** The time limit of such a check, and of a connection. */
  answer: 2200,
  /** The time that the hosts before the first respondent have left. */
  grace: 300,
  /** As `answer`, for the only server of a URL: an early time-out has no use without another server. */
  answerAlone: 4000,
}

/** Whether the server itself sent the error, such as too many connections, and so is alive. */
const isFromServer = (cause: unknown): boolean =>
  cause instanceof DatabaseError && (cause.sqlState !== undefined || Number(cause.errno) >= 1000)

const lost = (): Error =>
  Object.assign(new Error('the server does not answer'), { code: 'PROTOCOL_CONNECTION_LOST' })

/**
 * The one server that a pool uses: the first one in the order of the URL that takes writes. Reads go there too, because another
 * server may lack commits that were already confirmed.
 */
export class Primary<Connection extends object> {
  readonly #hosts: readonly Host<Connection>[]
  /** The only host, which needs no search. */
  readonly #only: Host<Connection> | undefined
  readonly #homes = new WeakMap<Connection, Host<Connection>>()
  #trusted = new WeakSet<Connection>()
  #current: Host<Connection> | undefined
  #searching: Promise<Host<Connection>> | undefined

  constructor(
    makeHosts: readonly ((options: HostOptions<Connection>) => Host<Connection>)[],
    onlyReads: boolean,
  ) {
    const limitMilliseconds = makeHosts.length === 1 ? limits.answerAlone : limits.answer
    const onLost = (connection: Connection): void => void this.#trusted.delete(connection)
    this.#hosts = makeHosts.map((makeHost) => makeHost({ onlyReads, limitMilliseconds, onLost }))
    this.#only = this.#hosts.length === 1 ? this.#hosts[0] : undefined
    this.#current = this.#only
  }

  /** Connects to the primary, and searches for it first where it is unknown. Rejects with a `DatabaseError`. */
  async connect(): Promise<Connection> {
    const known = this.#current
    if (known !== undefined)
      try {
        return await this.#open(known)
      } catch (cause) {
        if (known === this.#only) throw cause
        if (this.#current === known) this.#current = undefined
      }
    const host = await this.#find()
    this.#current = host
    return this.#open(host)
  }

  /** Whether a connection may be used again. */
  isTrusted(connection: Connection): boolean {
    return this.#trusted.has(connection)
  }

  /** Called after an error of a server that takes no writes: no connection to it is used again. */
  doubt(connection: Connection): void {
    if (!this.#trusted.has(connection)) return
    this.#trusted = new WeakSet()
    this.#current = this.#only
  }

  /** Checks the server of a connection. When the server takes no writes, calls `doubt` and rejects with a `DatabaseError`. */
  async check(connection: Connection): Promise<void> {
    try {
      await this.#homes.get(connection)?.check(connection)
    } catch (cause) {
      this.doubt(connection)
      throw cause
    }
  }

  /** Waits for a response. Where there are other hosts, breaks the connection if its server is dead. */
  async answerOf<A>(connection: Connection, answer: Promise<A>): Promise<A> {
    if (this.#only !== undefined) return answer
    const timer = setTimeout(() => void this.#breakUnlessAlive(connection), limits.slow)
    try {
      return await answer
    } finally {
      clearTimeout(timer)
    }
  }

  async #open(host: Host<Connection>): Promise<Connection> {
    const connection = await host.open()
    this.#homes.set(connection, host)
    this.#trusted.add(connection)
    return connection
  }

  /** Concurrent searches share one request to each host. */
  #find(): Promise<Host<Connection>> {
    this.#searching ??= firstUsable(this.#hosts, limits.grace).finally(() => {
      this.#searching = undefined
    })
    return this.#searching
  }

  async #breakUnlessAlive(connection: Connection): Promise<void> {
    const host = this.#homes.get(connection)
    try {
      await host?.answers()
    } catch (cause) {
      if (isFromServer(cause)) return
      this.doubt(connection)
      host?.breakOff(connection, lost())
    }
  }
}

/** Rejects with a `DatabaseError` unless the server that a client uses takes writes. */
export const assertInUseTakesWrites = async <Connection extends object>(
  client: Pick<Client<Connection>, 'acquireConnection' | 'releaseConnection'>,
  primary: Primary<Connection>,
): Promise<void> => {
  const check = async (): Promise<void> => {
    const connection = await client.acquireConnection()
    try {
      await primary.check(connection)
    } finally {
      await client.releaseConnection(connection)
    }
  }
  // The primary may have changed: the second connection goes to the new one.
  await check().catch(check)
}
