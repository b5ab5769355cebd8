import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, isIP, type Socket } from 'node:net'
import { isLoopback } from '@account-import/core/adapter-kit'
import type { ConnectionOptions } from 'mysql2'

/**
 * Whether a message may quote the name of a parameter: any other text may be a part of a password that is not percent-encoded.
 */
const isName = (text: string): boolean => /^[A-Za-z][\w-]{0,39}$/.test(text)

/** The end of a sentence that lists the unknown parameters of a URL; undefined where there are none. */
const unknownParameters = (names: readonly string[], known: readonly string[]): string | undefined => {
  const unknown = [...new Set(names.filter((name) => !known.includes(name)))]
  if (unknown.length === 0) return undefined
  return `, not ${unknown.map((name) => (isName(name) ? name : 'one whose name is not shown')).join(', ')}`
}

const known = ['socketPath', 'tls', 'tls-ca']

/** The certificates (PEM) of a file; undefined where it cannot be read or holds none. */
export const authoritiesIn = (path: string): string | undefined => {
  try {
    const text = readFileSync(path, 'utf8')
    return new X509Certificate(text).toString() === '' ? undefined : text
  } catch {
    // Node's message names the file and quotes it; the caller's message states the expected content instead.
    return undefined
  }
}

/** The fault of a file of authorities, worded to follow the name of a variable. */
export const noAuthorities = 'has a tls-ca that is no file of certificates (PEM) that can be read'

/** The decoded text of a part of a URL; undefined for invalid percent-encoding. */
export const decodedPart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The host of a URL; an IPv6 address has no brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** The part after the `?` of a database URL. `authorities`: PEM of those to trust in place of the bundled ones. */
type MysqlParameters = Readonly<{
  socketPath: string | undefined
  tls: 'on' | 'off' | undefined
  authorities: string | undefined
}>

/**
 * The parameters of a URL, or its fault, worded to follow the name of a variable. A fault quotes no value, and names unknown
 * parameters.
 */
const mysqlParameters = ({ searchParams, hash }: URL): MysqlParameters | Readonly<{ fault: string }> => {
  const names = [...searchParams.keys()]
  const unknown = unknownParameters(names, known)
  if (unknown !== undefined || hash !== '')
    return { fault: `may have only the parameters tls, tls-ca and socketPath${unknown ?? ''}` }
  if (new Set(names).size < names.length) return { fault: 'has a parameter more than once' }
  const tls = searchParams.get('tls') ?? undefined
  const file = searchParams.get('tls-ca') ?? undefined
  const socketPath = searchParams.get('socketPath') ?? undefined
  if (tls !== undefined && tls !== 'on' && tls !== 'off')
    return { fault: 'may have tls=on (verified, always) or tls=off (plain text), and nothing else for tls' }
  if (file !== undefined && (tls === 'off' || socketPath !== undefined))
    return { fault: 'has tls-ca, which cannot be combined with tls=off or socketPath' }
  if (tls === 'on' && socketPath !== undefined)
    return { fault: 'has tls=on, which cannot be combined with socketPath' }
  const authorities = file === undefined ? undefined : authoritiesIn(file)
  if (file !== undefined && authorities === undefined) return { fault: noAuthorities }
  return { socketPath, tls, authorities }
}

const isUsable = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { username, password, pathname } = new URL(text)
  return [username, password, pathname].every((part) => decodedPart(part) !== undefined)
}

/** The part before the hosts, the hosts with commas between them, and the rest. */
const parts = /^(mysql:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * The URLs of `mysql://user:password@host:port,host:port/database`, one for each host, in this order; undefined for a text that
 * is no such URL, or whose user, password or database cannot be percent-decoded.
 */
const mysqlUrls = (text: string): readonly URL[] | undefined => {
  const [, before = '', hosts = '', after = ''] = parts.exec(text) ?? []
  if (before === '') return undefined
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  return urls.every(isUsable) ? urls.map((url) => new URL(url)) : undefined
}

const mysqlForm =
  'must be sqlite:<file> or mysql://<user>:<password>@<host>:<port>/<database>, special characters' +
  ' percent-encoded; several hosts with commas between them'

/** As `databaseUrlFault`, of the URL of a database server. */
const mysqlUrlFault = (text: string): string | undefined => {
  const urls = mysqlUrls(text) ?? []
  const [first] = urls
  if (first === undefined) return mysqlForm
  if (!urls.every(({ hostname, pathname }) => hostname !== '' && /^\/[^/]+$/.test(pathname))) return mysqlForm
  const parameters = mysqlParameters(first)
  return 'fault' in parameters ? parameters.fault : undefined
}

const defaultPort = 3306

/**
 * A connection to an address, whose certificate must name that address. Node compares the certificate with the name that was
 * looked up; without a look-up, with `localhost`, unless the socket has a `_host`.
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
 * The socket of the URL, or a host and port. A host that is not this machine is reached by TLS, with certificate and name
 * verified, unless the URL switches that off; this machine only where the URL requires TLS.
 */
const address = (url: URL, { socketPath, tls, authorities }: MysqlParameters): ConnectionOptions => {
  if (socketPath !== undefined) return { socketPath }
  const host = hostOf(url)
  const port = url.port === '' ? defaultPort : Number(url.port)
  const isAskedFor = tls === 'on' || authorities !== undefined
  const isEncrypted = isAskedFor || (tls === undefined && !isLoopback(host))
  return { host, port, ...(isEncrypted && encryption(host, port, authorities)) }
}

/** Where a process may not make functions of texts, as the driver does for speed. */
const isWithoutEval = /--disallow[-_]code[-_]generation[-_]from[-_]strings/.test(
  [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
)

const settingsOf = (url: URL, maxPreparedStatements: number): ConnectionOptions => {
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
    disableEval: isWithoutEval,
    maxPreparedStatements,
  }
}

/**
 * The settings of a connection to each host of `mysql://user:password@host:port,host:port/database`; undefined for another URL.
 * Dates remain text, so that no time zone is applied. `FOUND_ROWS` makes an update report how many rows it matched instead of how
 * many it changed: a conditional update counts also when it sets the same values. Throws a `TypeError` for wrong parameters.
 */
export const mysqlSettings = (
  text: string,
  maxPreparedStatements: number,
): readonly ConnectionOptions[] | undefined =>
  mysqlUrls(text)?.map((url) => settingsOf(url, maxPreparedStatements))

/** `sqlite:<file>`; a text after a `?` is parameters, and no part of the name. */
const sqliteForm = /^sqlite:([^\0?]+)(?:\?([^\0]*))?$/

/** The file that `sqlite:<file>` names, or `:memory:`, or the fault of such a URL; undefined for another scheme. */
export const sqliteFile = (text: string): Readonly<{ file: string } | { fault: string }> | undefined => {
  if (!text.startsWith('sqlite:')) return undefined
  const [, file, parameters] = sqliteForm.exec(text) ?? []
  if (file === undefined) return { fault: 'must name a file: sqlite:<file>' }
  if (parameters === undefined) return { file }
  const names = [...new URLSearchParams(parameters).keys()]
  return { fault: `may have no parameters with sqlite:${unknownParameters(names, []) ?? ''}` }
}

/**
 * The fault of a database URL, worded to follow the name of a variable. It quotes nothing of the URL but the names of unknown
 * parameters. Undefined where `connectSql` accepts the URL.
 */
export const databaseUrlFault = (text: string): string | undefined => {
  const sqlite = sqliteFile(text)
  if (sqlite === undefined) return mysqlUrlFault(text)
  return 'fault' in sqlite ? sqlite.fault : undefined
}
