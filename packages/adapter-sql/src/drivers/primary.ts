import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2'
import { DatabaseError } from './database-error.js'

type Row = Readonly<Record<string, unknown>>

/** Sends a statement without values and gives its rows. */
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

/** A server that was started again, and is not in its group yet, may take writes that nobody else will ever see. */
const isInGroup = async (ask: Ask): Promise<boolean> => {
  const all = await ask(members)
  const reached = all.filter(({ state }) => state !== 'UNREACHABLE')
  return (
    reached.length * 2 > all.length && all.some(({ own, state }) => Number(own) === 1 && state === 'ONLINE')
  )
}

/**
 * Rejects with a `DatabaseError` unless the server takes writes now and, where it belongs to a cluster, is in that part of
 * it which has the majority. Settings decide: a user who may write to a server that is set to be read-only does not.
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

/** Connects; rejects with a `DatabaseError`. `onLost` is told when the connection cannot be used any more. */
const openConnection = (
  settings: ConnectionOptions,
  onLost: (connection: OpenConnection) => void,
): Promise<OpenConnection> =>
  new Promise((resolve, reject) => {
    const connection = createConnection(settings) as OpenConnection
    connection.on('error', () => onLost(connection))
    connection.connect((error) => (error === null ? resolve(connection) : reject(DatabaseError.of(error))))
  })

/** Asks by text, within the time; rejects with a `DatabaseError`. */
const askOn =
  (connection: Connection, timeout: number): Ask =>
  (sql) =>
    new Promise((resolve, reject) => {
      connection.query({ sql, timeout }, (error, rows) =>
        error === null ? resolve(rows as Awaited<ReturnType<Ask>>) : reject(DatabaseError.of(error)),
      )
    })

/** One of the servers that a URL names. `onlyReads`: any server that answers will do. `onLost` is told of a connection that broke. */
const makeHost = (
  settings: ConnectionOptions,
  onlyReads: boolean,
  limitMilliseconds: number,
  onLost: (connection: OpenConnection) => void,
) => {
  /** Rejects with a `DatabaseError` when it cannot be used any more. */
  const check = async (connection: OpenConnection): Promise<void> => {
    if (!onlyReads) await assertTakesWrites(askOn(connection, limitMilliseconds))
  }
  /** Connects; rejects with a `DatabaseError` when it cannot be used for what is to be done. */
  const open = async (): Promise<OpenConnection> => {
    const connection = await openConnection({ ...settings, connectTimeout: limitMilliseconds }, onLost)
    try {
      await check(connection)
      return connection
    } catch (cause) {
      connection.stream.destroy()
      throw cause
    }
  }
  /** As `open`, for those who only ask. */
  const answers = async (): Promise<void> => (await open()).end()
  return { open, check, answers }
}

type Host = ReturnType<typeof makeHost>

const mostTelling = (causes: readonly unknown[]): unknown =>
  causes.find((cause) => cause instanceof DatabaseError && cause.code?.startsWith('DATABASE_')) ?? causes[0]

/**
 * The first host that can be used. All are asked at once, as one that is lost takes its time to say nothing: who
 * stands further in front than the first who answers has `graceMilliseconds` to answer too. Rejects with the
 * `DatabaseError` that says most.
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
    throw mostTelling((cause as AggregateError).errors)
  }
  await Promise.race([Promise.allSettled(asked), pause(graceMilliseconds, undefined, { ref: false })])
  return hosts.find((host) => usable.has(host)) as Host
}

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
export class Primary {
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
    this.#hosts = hosts.map((settings) => makeHost(settings, onlyReads, limitMilliseconds, onLost))
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
