import { connect, isIP, type Socket } from 'node:net'
import type { ConnectionOptions } from 'mysql2'
import { mysqlServers, type ServerAddress, serverAddresses } from './urls.js'

/**
 * A connection to an address, whose certificate must name that address. Node compares the certificate with the name that was
 * looked up; without a look-up, with `localhost`, unless the socket has a `_host`.
 */
const namedSocket = (host: string, port: number): Socket => {
  const socket = connect({ host, port, noDelay: true, keepAlive: true })
  return Object.assign(socket, { _host: host })
}

const encryption = ({ host, port, authorities }: ServerAddress): ConnectionOptions => ({
  ssl: {
    rejectUnauthorized: true,
    verifyIdentity: true,
    ...(authorities !== undefined && { ca: authorities }),
  },
  ...(isIP(host) !== 0 && { stream: () => namedSocket(host, port) }),
})

/** The socket of the URL, or a host and port. */
const placeOf = (address: ServerAddress): ConnectionOptions => {
  const { host, port, socketPath, isEncrypted } = address
  if (socketPath !== undefined) return { socketPath }
  return { host, port, ...(isEncrypted && encryption(address)) }
}

/** Where a process may not make functions of texts, as the driver does for speed. */
const isWithoutEval = /--disallow[-_]code[-_]generation[-_]from[-_]strings/.test(
  [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
)

/**
 * The settings of a connection to each host of `mysql://user:password@host:port,host:port/database`; undefined for another URL.
 * Dates remain text, so that no time zone is applied. `FOUND_ROWS` makes an update report how many rows it matched instead of how
 * many it changed: a conditional update counts also when it sets the same values. Throws a `TypeError` for wrong parameters.
 */
export const mysqlSettings = (
  text: string,
  maxPreparedStatements: number,
): readonly ConnectionOptions[] | undefined =>
  serverAddresses(text, mysqlServers)?.map((address) => ({
    ...placeOf(address),
    user: address.user,
    password: address.password,
    database: address.database,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    flags: ['FOUND_ROWS'],
    disableEval: isWithoutEval,
    maxPreparedStatements,
  }))
