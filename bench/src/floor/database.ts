import { createPool, type Pool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2'

export type SqlValue = string | number | boolean | null | undefined

/** Runs statements on one connection. */
export type Execute = <A extends ResultSetHeader | RowDataPacket[]>(
  sql: string,
  values: readonly unknown[],
) => Promise<A>

/** Runs the work in a transaction: it commits, or rolls back when the work throws. */
export type InTransaction = <A>(work: (execute: Execute) => Promise<A>) => Promise<A>

const queryOn =
  (connection: PoolConnection): Execute =>
  (sql, values) =>
    new Promise((resolve, reject) => {
      connection.query(sql, [...values], (error, result) =>
        error === null ? resolve(result as never) : reject(error),
      )
    })

/** A pool of the driver alone, without the promises that it wraps around each call. */
export const openPool = (url: string, connectionLimit: number): Pool => {
  const pool = createPool({ uri: url, connectionLimit, maxIdle: connectionLimit, dateStrings: true })
  pool.on('connection', (connection) =>
    connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'),
  )
  return pool
}

export const transactionsOn = (pool: Pool): InTransaction => {
  const connected = (): Promise<PoolConnection> =>
    new Promise((resolve, reject) => {
      pool.getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)))
    })
  return async (work) => {
    const connection = await connected()
    const query = queryOn(connection)
    try {
      await query('BEGIN', [])
      const result = await work(query)
      await query('COMMIT', [])
      connection.release()
      return result
    } catch (cause) {
      connection.destroy() // which rolls back
      throw cause
    }
  }
}
