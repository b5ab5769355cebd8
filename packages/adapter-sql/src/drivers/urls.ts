import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isLoopback, withoutBrackets } from '@account-import/core/adapter-kit'

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

/** The URLs of a kind of database server: their schemes, which end with `:`, and their parameters. */
export type ServerKind = Readonly<{ schemes: readonly string[]; parameters: readonly string[]; port: number }>

export const mysqlServers: ServerKind = {
  schemes: ['mysql:'],
  parameters: ['tls', 'tls-ca', 'socketPath'],
  port: 3306,
}

export const postgresqlServers: ServerKind = {
  schemes: ['postgres:', 'postgresql:'],
  parameters: ['tls', 'tls-ca'],
  port: 5432,
}

/** The part after the `?` of a database URL. `authorities`: PEM of those to trust in place of the bundled ones. */
type Parameters = Readonly<{
  socketPath: string | undefined
  tls: 'on' | 'off' | undefined
  authorities: string | undefined
}>

/**
 * The parameters of a URL, or its fault, worded to follow the name of a variable. A fault quotes no value, and names unknown
 * parameters.
 */
const parametersOf = (
  { searchParams, hash }: URL,
  { parameters }: ServerKind,
): Parameters | Readonly<{ fault: string }> => {
  const names = [...searchParams.keys()]
  const unknown = unknownParameters(names, parameters)
  if (unknown !== undefined || hash !== '') {
    const list = `${parameters.slice(0, -1).join(', ')} and ${parameters.at(-1)}`
    return { fault: `may have only the parameters ${list}${unknown ?? ''}` }
  }
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
const parts = /^([a-z]+:)(\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * The URLs of `<scheme>//user:password@host:port,host:port/database`, one for each host, in this order; undefined for a text that
 * is no such URL, or whose user, password or database cannot be percent-decoded.
 */
const urlsOf = (text: string, { schemes }: ServerKind): readonly URL[] | undefined => {
  const [, scheme = '', before = '', hosts = '', after = ''] = parts.exec(text) ?? []
  if (!schemes.includes(scheme)) return undefined
  const urls = hosts.split(',').map((host) => `${scheme}${before}${host}${after}`)
  return urls.every(isUsable) ? urls.map((url) => new URL(url)) : undefined
}

const serverForm =
  'must be sqlite:<file>, or mysql:// or postgres:// with <user>:<password>@<host>:<port>/<database>, special characters' +
  ' percent-encoded; several hosts with commas between them'

/** As `databaseUrlFault`, of the URL of a database server. */
const serverUrlFault = (text: string): string | undefined => {
  for (const kind of [mysqlServers, postgresqlServers]) {
    const urls = urlsOf(text, kind) ?? []
    const [first] = urls
    if (first === undefined) continue
    if (!urls.every(({ hostname, pathname }) => hostname !== '' && /^\/[^/]+$/.test(pathname)))
      return serverForm
    const parameters = parametersOf(first, kind)
    return 'fault' in parameters ? parameters.fault : undefined
  }
  return serverForm
}

/** A server of a URL, and how it is reached: by a socket, or by host and port. */
export type ServerAddress = Readonly<{
  host: string
  port: number
  user: string
  password: string
  database: string
  socketPath: string | undefined
  /** Whether TLS is used, with certificate and name verified: for a host that is not this machine, unless the URL switches that off. */
  isEncrypted: boolean
  authorities: string | undefined
}>

const addressOf = (url: URL, kind: ServerKind): ServerAddress => {
  const parameters = parametersOf(url, kind)
  if ('fault' in parameters) throw new TypeError(`The database URL ${parameters.fault}`)
  const { socketPath, tls, authorities } = parameters
  const host = withoutBrackets(url.hostname)
  const isAskedFor = tls === 'on' || authorities !== undefined
  return {
    host,
    port: url.port === '' ? kind.port : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    socketPath,
    isEncrypted: isAskedFor || (tls === undefined && !isLoopback(host)),
    authorities,
  }
}

/**
 * The servers of `<scheme>//user:password@host:port,host:port/database`; undefined for another URL. Throws a `TypeError` for wrong
 * parameters.
 */
export const serverAddresses = (text: string, kind: ServerKind): readonly ServerAddress[] | undefined =>
  urlsOf(text, kind)?.map((url) => addressOf(url, kind))

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
  if (sqlite === undefined) return serverUrlFault(text)
  return 'fault' in sqlite ? sqlite.fault : undefined
}
