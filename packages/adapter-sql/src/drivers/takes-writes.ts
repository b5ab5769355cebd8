import { DatabaseError } from './database-error.js'

type Row = Readonly<Record<string, unknown>>

/** Sends a statement without values and gives its rows. */
export type Ask = (sql: string) => Promise<readonly Row[]>

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
export const assertTakesWrites = async (ask: Ask): Promise<void> => {
  const settings = named(await ask(variables))
  const isOn = (name: string): boolean => /^(?:ON|1)$/i.test(String(settings.get(name)))
  if (['read_only', 'super_read_only', 'innodb_read_only'].some(isOn)) throw readOnly()
  if (isOn('wsrep_on') && !(await isInGalera(ask))) throw notInCluster()
  const group = settings.get('group_replication_group_name') ?? ''
  if (group !== '' && !(await isInGroup(ask))) throw notInCluster()
}
