import type { ConnectionOptions } from 'mysql2'
import { DatabaseError } from './database-error.js'
import { firstUsable } from './first-usable.js'
import { makeHost, type Host } from './host.js'
import type { OpenConnection } from './open-connection.js'

/** Milliseconds. Together they are what the loss of a server costs at most: less than five seconds. */
const limits = {
  /** How long a statement may take before its server is asked whether it is there. */
  slow: 1200,
  /** How long a server may take to say that, or to let somebody in. */
  answer: 2200,
  /** For how long one that stands further in front may still answer. */
  grace: 300,
  /** The same as `answer` for a server that stands alone: to give up early would help nobody. */
  answerAlone: 4000,
}

/** A server that answers with an error of its own, such as too many connections, is there. */
const isFromServer = (cause: unknown): boolean =>
  cause instanceof DatabaseError && cause.errno !== undefined && cause.errno >= 1000

const lost = (): Error =>
  Object.assign(new Error('the server does not answer'), { code: 'PROTOCOL_CONNECTION_LOST' })

/**
 * The one server that a pool uses, of those that its URL names in order of preference: the one that takes writes. Reads go
 * there too, as elsewhere they might not see what was answered as done.
 */
export class Writer {
  readonly #hosts: readonly Host[]
  /** The host that needs no search, as there is no other. */
  readonly #only: Host | undefined
  readonly #homes = new WeakMap<OpenConnection, Host>()
  #trusted = new WeakSet<OpenConnection>()
  #current: Host | undefined
  #searching: Promise<Host> | undefined

  constructor(hosts: readonly ConnectionOptions[], onlyReads: boolean) {
    const limitMilliseconds = hosts.length === 1 ? limits.answerAlone : limits.answer
    const onLost = (connection: OpenConnection): void => void this.#trusted.delete(connection)
    this.#hosts = hosts.map((settings) => makeHost(settings, { onlyReads, limitMilliseconds, onLost }))
    this.#only = this.#hosts.length === 1 ? this.#hosts[0] : undefined
    this.#current = this.#only
  }

  /** Connects to it, and looks for it first where it is not known. Rejects with a `DatabaseError`. */
  async connect(): Promise<OpenConnection> {
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
  isTrusted(connection: OpenConnection): boolean {
    return this.#trusted.has(connection)
  }

  /** After an error that says that the server takes no writes: none of the connections to it is used again. */
  doubt(connection: OpenConnection): void {
    if (!this.#trusted.has(connection)) return
    this.#trusted = new WeakSet()
    this.#current = this.#only
  }

  /** Asks the server of a connection; rejects with a `DatabaseError`, and doubts it, when it takes no writes. */
  async check(connection: OpenConnection): Promise<void> {
    try {
      await this.#homes.get(connection)?.check(connection)
    } catch (cause) {
      this.doubt(connection)
      throw cause
    }
  }

  /** Waits for an answer, but not for a server that answers nobody, where there are others. */
  async answerOf<A>(connection: OpenConnection, answer: Promise<A>): Promise<A> {
    if (this.#only !== undefined) return answer
    const timer = setTimeout(() => void this.#giveUpUnlessThere(connection), limits.slow)
    try {
      return await answer
    } finally {
      clearTimeout(timer)
    }
  }

  async #open(host: Host): Promise<OpenConnection> {
    const connection = await host.open()
    this.#homes.set(connection, host)
    this.#trusted.add(connection)
    return connection
  }

  /** However many look for it at the same time, the hosts are asked once. */
  #find(): Promise<Host> {
    this.#searching ??= firstUsable(this.#hosts, limits.grace).finally(() => {
      this.#searching = undefined
    })
    return this.#searching
  }

  async #giveUpUnlessThere(connection: OpenConnection): Promise<void> {
    try {
      await this.#homes.get(connection)?.answers()
    } catch (cause) {
      if (isFromServer(cause)) return
      this.doubt(connection)
      connection.stream.destroy(lost())
    }
  }
}
