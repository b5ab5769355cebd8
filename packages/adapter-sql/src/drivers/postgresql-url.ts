import type { ClientConfig } from 'pg'
import { postgresqlServers, type ServerAddress, serverAddresses } from './urls.js'

const settingsOf = (address: ServerAddress): ClientConfig => {
  const { host, port, user, password, database, isEncrypted, authorities } = address
  const ssl = { rejectUnauthorized: true, ...(authorities !== undefined && { ca: authorities }) }
  return {
    host,
    port,
    user,
    // The driver would look for a password in the environment and in files instead of an empty text.
    password: () => password,
    database,
    ssl: isEncrypted && ssl,
    client_encoding: 'UTF8',
    keepAlive: true,
  }
}

/**
 * The settings of a connection to each host of `postgres://user:password@host:port,host:port/database`; undefined for another URL.
 * Throws a `TypeError` for wrong parameters.
 */
export const postgresqlSettings = (text: string): readonly ClientConfig[] | undefined =>
  serverAddresses(text, postgresqlServers)?.map(settingsOf)
