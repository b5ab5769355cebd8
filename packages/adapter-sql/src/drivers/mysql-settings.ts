import type { ConnectionOptions } from 'mysql2'

/** Where the server is: a host and port, or the socket that `?socketPath=` names. */
const address = (url: URL): ConnectionOptions => {
  const socketPath = url.searchParams.get('socketPath')
  if (socketPath !== null) return { socketPath }
  return { host: url.hostname, port: url.port === '' ? 3306 : Number(url.port) }
}

/** `?ssl=true`: TLS with a certificate that the system trusts. */
const encryption = (url: URL): ConnectionOptions =>
  url.searchParams.get('ssl') === 'true' ? { ssl: { rejectUnauthorized: true } } : {}

/**
 * The settings of a connection to `mysql://user:password@host:port/database`. Dates stay text, so that no time
 * zone is ever applied. `FOUND_ROWS` makes an update answer how many rows it matched, not how many looked
 * different before: a conditional update counts also when it sets what was there.
 */
export const mysqlSettings = (url: URL, maxPreparedStatements: number): ConnectionOptions => ({
  ...address(url),
  ...encryption(url),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: decodeURIComponent(url.pathname.slice(1)),
  charset: 'utf8mb4',
  timezone: 'Z',
  dateStrings: true,
  flags: ['FOUND_ROWS'],
  connectTimeout: 4000,
  maxPreparedStatements,
})
