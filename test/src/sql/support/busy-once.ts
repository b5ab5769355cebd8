import type { Opened } from './databases.js'

type Connection = { prepare: (sql: string) => unknown }
type Client = Readonly<{
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
}>

/** Whether the statement that was to fail has been reached. */
export type BusyOnce = Readonly<{ reached(): boolean; end(): void }>

/**
 * From now on the n-th statement (from 1, transactions' own counted) on SQLite's one connection fails as if another
 * process had just taken the write lock; it succeeds when it is run again.
 */
export const busyOnce = async ({ knex }: Opened, nth: number): Promise<BusyOnce> => {
  const client = knex.client as Client
  const connection = await client.acquireConnection()
  const { prepare } = connection
  let seen = 0
  connection.prepare = (sql) => {
    seen += 1
    if (seen === nth) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    return prepare(sql)
  }
  await client.releaseConnection(connection)
  return {
    reached: () => seen >= nth,
    end: () => {
      connection.prepare = prepare
    },
  }
}
