import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2'
import { DatabaseError } from './database-error.js'
import { sessionStatements } from './mysql-session.js'

type Row = Readonly<Record<string, unknown>>

/** Sends a statement without values and returns its rows. */
type Ask = (sql: string) => Promise<readonly Row[]>

const variables =
  'SHOW GLOBAL VARIABLES WHERE Variable_name IN ' +
  "('read_only', 'super_read_only', 'innodb_read_only', 'wsrep_on', 'group_replication_group_name')"

const galera = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_status')"

const members =
  'SELECT MEMBER_ID = @@server_uuid AS own, MEMBER_STATE AS state FROM performance_schema.replication_group_members'

const refusal = (code: string, message: string): DatabaseError => new DatabaseError({ code, message })
const readOnly = (): DatabaseError => refusal('DATABASE_READ_ONLY', 'the server takes no writes')
const notInCluster = (): DatabaseError =>
  refusal('DATABASE_NOT_IN_CLUSTER', 'the server is in no part of its cluster that has the majority')

const named = (rows: readonly Row[]): ReadonlyMap<unknown, unknown> =>
  new Map(rows.map(({ Variable_name: name, Value: value }) => [name, value]))

const isInGalera = async (ask: Ask): Promise<boolean> => {
  const status = named(await ask(galera))
  return status.get('wsrep_ready') === 'ON' && status.get('wsrep_cluster_status') === 'Primary'
}

/** A restarted server that has not joined its group yet may accept writes that never reach the group. */
const isInGroup = async (ask: Ask): Promise<boolean> => {
  const all = await ask(members)
  const reached = all.filter(({ state }) => state !== 'UNREACHABLE')
  return (
    reached.length * 2 > all.length && all.some(({ own, state }) => Number(own) === 1 && state === 'ONLINE')
  )
}

/**
 * Rejects with a `DatabaseError` unless the server takes writes now and, in a cluster, belongs to the part with the majority.
 * Only settings count: a server that is set to be read-only is rejected even if this user may write to it.
 */
const assertTakesWrites = async (ask: Ask): Promise<void> => {
  const settings = named(await ask(variables))
  const isOn = (name: string): boolean => /^(?:ON|1)$/i.test(String(settings.get(name)))
  if (['read_only', 'super_read_only', 'innodb_read_only'].some(isOn)) throw readOnly()
  if (isOn('wsrep_on') && !(await isInGalera(ask))) throw notInCluster()
  const group = settings.get('group_replication_group_name') ?? ''
  if (group !== '' && !(await isInGroup(ask))) throw notInCluster()
}

/** A connection of the driver; its published type leaves the stream out. */
type OpenConnection = Connection & Readonly<{ stream: Duplex }>

/** Connects; rejects with a `DatabaseError`. Calls `onLost` when the connection breaks. */
const openConnection = (
  settings: ConnectionOptions,
  onLost: (connection: OpenConnection) => void,
): Promise<OpenConnection> =>
  new Promise((resolve, reject) => {
    const connection = createConnection(settings) as OpenConnection
    connection.on('error', () => onLost(connection))
    connection.connect((error) => (error === null ? resolve(connection) : reject(DatabaseError.of(error))))
  })

/** Sends statements by the text protocol, with a time limit; rejects with a `DatabaseError`. */
const askOn =
  (connection: Connection, timeout: number): Ask =>
  (sql) =>
    new Promise((resolve, reject) => {
      connection.query({ sql, timeout }, (error, rows) =>
        error === null ? resolve(rows as Awaited<ReturnType<Ask>>) : reject(DatabaseError.of(error)),
      )
    })

/** A server of a URL. `onlyReads`: a read-only server can be used too. Calls `onLost` for a connection that breaks. */
const makeHost = (
  settings: ConnectionOptions,
  onlyReads: boolean,
  limitMilliseconds: number,
  onLost: (connection: OpenConnection) => void,
) => {
  /** Rejects with a `DatabaseError` when the server cannot be used any more. */
  const check = async (connection: OpenConnection): Promise<void> => {
    if (!onlyReads) await assertTakesWrites(askOn(connection, limitMilliseconds))
  }
  /** Connects and sets up the session; rejects with a `DatabaseError` when the server cannot be used. */
  const open = async (): Promise<OpenConnection> => {
    const connection = await openConnection({ ...settings, connectTimeout: limitMilliseconds }, onLost)
    try {
      for (const sql of sessionStatements) await askOn(connection, limitMilliseconds)(sql)
      await check(connection)
      return connection
    } catch (cause) {
      connection.stream.destroy()
      throw cause
    }
  }
  /** Opens a connection and ends it; rejects as `open` does. */
  const answers = async (): Promise<void> => (await open()).end()
  return { open, check, answers }
}

type Host = ReturnType<typeof makeHost>

const mostSpecific = (causes: readonly unknown[]): unknown =>
  causes.find((cause) => cause instanceof DatabaseError && cause.code?.startsWith('DATABASE_')) ?? causes[0]

/**
 * The first usable host in the order of the URL. All hosts are asked at once, because a lost host takes long to time out. After
 * the first response, the hosts before that one have `graceMilliseconds` more. Rejects with the most specific `DatabaseError`.
 */
const firstUsable = async (hosts: readonly Host[], graceMilliseconds: number): Promise<Host> => {
  const usable = new Set<Host>()
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
  return hosts.find((host) => usable.has(host)) as Host
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
  cause instanceof DatabaseError && cause.errno !== undefined && cause.errno >= 1000

const lost = (): Error =>
  Object.assign(new Error('the server does not answer'), { code: 'PROTOCOL_CONNECTION_LOST' })

/**
 * The one server that a pool uses: the first one in the order of the URL that takes writes. Reads go there too, because another
 * server may lack commits that were already confirmed.
 */
export class Primary {
  readonly #hosts: readonly Host[]
  /** The only host, which needs no search. */
  readonly #only: Host | undefined
  readonly #homes = new WeakMap<OpenConnection, Host>()
  #trusted = new WeakSet<OpenConnection>()
  #current: Host | undefined
  #searching: Promise<Host> | undefined

  constructor(hosts: readonly ConnectionOptions[], onlyReads: boolean) {
    const limitMilliseconds = hosts.length === 1 ? limits.answerAlone : limits.answer
    const onLost = (connection: OpenConnection): void => void this.#trusted.delete(connection)
    this.#hosts = hosts.map((settings) => makeHost(settings, onlyReads, limitMilliseconds, onLost))
    this.#only = this.#hosts.length === 1 ? this.#hosts[0] : undefined
    this.#current = this.#only
  }

  /** Connects to the primary, and searches for it first where it is unknown. Rejects with a `DatabaseError`. */
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

  /** Called after an error of a server that takes no writes: no connection to it is used again. */
  doubt(connection: OpenConnection): void {
    if (!this.#trusted.has(connection)) return
    this.#trusted = new WeakSet()
    this.#current = this.#only
  }

  /** Checks the server of a connection. When the server takes no writes, calls `doubt` and rejects with a `DatabaseError`. */
  async check(connection: OpenConnection): Promise<void> {
    try {
      await this.#homes.get(connection)?.check(connection)
    } catch (cause) {
      this.doubt(connection)
      throw cause
    }
  }

  /** Waits for a response. Where there are other hosts, breaks the connection if its server is dead. */
  async answerOf<A>(connection: OpenConnection, answer: Promise<A>): Promise<A> {
    if (this.#only !== undefined) return answer
    const timer = setTimeout(() => void this.#breakUnlessAlive(connection), limits.slow)
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

  /** Concurrent searches share one request to each host. */
  #find(): Promise<Host> {
    this.#searching ??= firstUsable(this.#hosts, limits.grace).finally(() => {
      this.#searching = undefined
    })
    return this.#searching
  }

  async #breakUnlessAlive(connection: OpenConnection): Promise<void> {
    try {
      await this.#homes.get(connection)?.answers()
    } catch (cause) {
      if (isFromServer(cause)) return
      this.doubt(connection)
      connection.stream.destroy(lost())
    }
  }
}
