import { createConnection, type Connection, type ConnectionOptions } from 'mysql2'
import type { Duplex } from 'node:stream'
import { databaseError } from './database-error.js'
import type { Ask } from './takes-writes.js'

/** A connection of the driver; its published type leaves the stream out. */
export type OpenConnection = Connection & Readonly<{ stream: Duplex }>

/** Connects; rejects with a `DatabaseError`. `onLost` is told when the connection cannot be used any more. */
export const openConnection = (
  settings: ConnectionOptions,
  onLost: (connection: OpenConnection) => void,
): Promise<OpenConnection> =>
  new Promise((resolve, reject) => {
    const connection = createConnection(settings) as OpenConnection
    connection.on('error', () => onLost(connection))
    connection.connect((error) => (error === null ? resolve(connection) : reject(databaseError(error))))
  })

/** Asks by text, within the time; rejects with a `DatabaseError`. */
export const askOn =
  (connection: Connection, timeout: number): Ask =>
  (sql) =>
    new Promise((resolve, reject) => {
      connection.query({ sql, timeout }, (error, rows) =>
        error === null ? resolve(rows as Awaited<ReturnType<Ask>>) : reject(databaseError(error)),
      )
    })
