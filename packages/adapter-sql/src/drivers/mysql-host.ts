import type { Duplex } from 'node:stream'
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2'
import { DatabaseError } from './database-error.js'
import { sessionStatements } from './mysql-session.js'
import { type Host, type HostOptions, notInCluster, readOnly } from './primary.js'

type Row = Readonly<Record<string, unknown>>

/** Sends a statement without values and returns its rows. */
type Ask = (sql: string) => Promise<readonly Row[]>

const variables =
  'SHOW GLOBAL VARIABLES WHERE Variable_name IN ' +
  "('read_only', 'super_read_only', 'innodb_read_only', 'wsrep_on', 'group_replication_group_name')"

const galera = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_cluster_status')"

const members =
  'SELECT MEMBER_ID = @@server_uuid AS own, MEMBER_STATE AS state FROM performance_schema.replication_group_members'

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
export type MysqlConnection = Connection & Readonly<{ stream: Duplex }>

/** Connects; rejects with a `DatabaseError`. Calls `onLost` when the connection breaks. */
const openConnection = (
  settings: ConnectionOptions,
  onLost: (connection: MysqlConnection) => void,
): Promise<MysqlConnection> =>
  new Promise((resolve, reject) => {
    const connection = createConnection(settings) as MysqlConnection
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

/** A server of a MySQL URL. */
export const mysqlHost = (
  settings: ConnectionOptions,
  { onlyReads, limitMilliseconds, onLost }: HostOptions<MysqlConnection>,
): Host<MysqlConnection> => {
  const check = async (connection: MysqlConnection): Promise<void> => {
    if (!onlyReads) await assertTakesWrites(askOn(connection, limitMilliseconds))
  }
  const open = async (): Promise<MysqlConnection> => {
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
  return {
    open,
    check,
    answers: async () => (await open()).end(),
    breakOff: ({ stream }, error) => stream.destroy(error),
  }
}
