import { createPool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2'

export type SqlValue = string | number | boolean | null | undefined

/** Runs prepared statements on one connection. */
export type Execute = <A extends ResultSetHeader | RowDataPacket[]>(
  sql: string,
  values: readonly SqlValue[],
) => Promise<A>

/** Runs the work in a transaction: it commits, or rolls back when the work throws. */
export type InTransaction = <A>(work: (execute: Execute) => Promise<A>) => Promise<A>

const executeOn =
  (connection: PoolConnection): Execute =>
  (sql, values) =>
    new Promise((resolve, reject) => {
      const bound = values.map((value) => value ?? null)
      connection.execute(sql, bound, (error, result) =>
        error === null ? resolve(result as never) : reject(error),
      )
    })

const command = (connection: PoolConnection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error) => (error === null ? resolve() : reject(error)))
  })

/** A pool of the driver alone, without the promises that it wraps around each call. */
export const openDatabase = (url: string, connectionLimit: number): InTransaction => {
  const pool = createPool({ uri: url, connectionLimit, maxIdle: connectionLimit, dateStrings: true })
  pool.on('connection', (connection) =>
    connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'),
  )
  const connected = (): Promise<PoolConnection> =>
    new Promise((resolve, reject) => {
      pool.getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)))
    })
  return async (work) => {
    const connection = await connected()
    try {
      await command(connection, 'START TRANSACTION')
      const result = await work(executeOn(connection))
      await command(connection, 'COMMIT')
      connection.release()
      return result
    } catch (cause) {
      connection.destroy() // which rolls back
      throw cause
    }
  }
}
