import { isLoopback } from '@account-import/core/adapter-kit'
import type { ConnectionOptions } from 'mysql2'
import { connect, isIP, type Socket } from 'node:net'
import { mysqlParameters, type MysqlParameters } from './mysql-parameters.js'

const defaultPort = 3306

/**
 * A connection to an address, whose certificate has to name that address. Node compares the certificate with the name that
 * was looked up; where none was, with `localhost`, unless the socket says what it is connected to.
 */
const namedSocket = (host: string, port: number): Socket => {
  const socket = connect({ host, port, noDelay: true, keepAlive: true })
  return Object.assign(socket, { _host: host })
}

const encryption = (host: string, port: number, authorities: string | undefined): ConnectionOptions => ({
  ssl: {
    rejectUnauthorized: true,
    verifyIdentity: true,
    ...(authorities !== undefined && { ca: authorities }),
  },
  ...(isIP(host) !== 0 && { stream: () => namedSocket(host, port) }),
})

/**
 * Where the server is: the socket that is named, or a host and port. A host that is not this machine is reached by TLS, its
 * certificate and name verified, unless that is switched off; one that is, only where that is asked for.
 */
const address = (url: URL, { socketPath, tls, authorities }: MysqlParameters): ConnectionOptions => {
  if (socketPath !== undefined) return { socketPath }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? defaultPort : Number(url.port)
  const isAskedFor = tls === 'on' || authorities !== undefined
  const isEncrypted = isAskedFor || (tls === undefined && !isLoopback(host))
  return { host, port, ...(isEncrypted && encryption(host, port, authorities)) }
}

/**
 * The settings of a connection to `mysql://user:password@host:port/database`, one host. Dates stay text, so that no time
 * zone is ever applied. `FOUND_ROWS` makes an update answer how many rows it matched, not how many looked
 * different before: a conditional update counts also when it sets what was there. Throws a `TypeError` for wrong parameters.
 */
export const mysqlSettings = (url: URL, maxPreparedStatements: number): ConnectionOptions => {
  const parameters = mysqlParameters(url)
  if ('fault' in parameters) throw new TypeError(`The database URL ${parameters.fault}`)
  return {
    ...address(url, parameters),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    flags: ['FOUND_ROWS'],
    maxPreparedStatements,
  }
}
