import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { httpDate, retryAfterSeconds, withoutBrackets } from '@account-import/core/adapter-kit'
import { VendorFailure, type VendorFailureKind } from '../vendor-failure.js'

/** Networks without addresses of the public internet: RFC 6890 and its successors. */
const notPublic4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

/**
 * Link-local networks and the metadata services of clouds, which return a machine's secrets: never allowed, with any
 * configuration.
 */
const never4: readonly (readonly [network: string, prefix: number])[] = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
]

/** The network in 6to4 (RFC 3056), which has an IPv4 address behind its first two bytes. */
const in6to4 = (network: string): string => {
  const [a = '', b = '', c = '', d = ''] = network
    .split('.')
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
  return `2002:${a}${b}:${c}${d}::`
}

const listOf = (
  networks4: readonly (readonly [network: string, prefix: number])[],
  networks6: readonly (readonly [network: string, prefix: number])[],
): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of networks4) {
    list.addSubnet(network, prefix, 'ipv4')
    // The same addresses behind translators (RFC 6052), IPv4-compatible, and in 6to4; `BlockList` finds mapped ones by itself.
    list.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6')
    list.addSubnet(`::${network}`, 96 + prefix, 'ipv6')
    list.addSubnet(in6to4(network), 16 + prefix, 'ipv6')
  }
  for (const [network, prefix] of networks6) list.addSubnet(network, prefix, 'ipv6')
  return list
}

const notPublic = listOf(notPublic4, [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])
// In local translators (RFC 8215) an address contains an IPv4 address in a place that the network decides.
const never = listOf(never4, [
  ['64:ff9b:1::', 48],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
])
const global6 = listOf([], [['2000::', 3]])
const mapped = listOf([], [['::ffff:0:0', 96]])
const translated = listOf([], [['64:ff9b::', 96]])

const isGlobal6 = (address: string): boolean =>
  [global6, mapped, translated].some((list) => list.check(address, 'ipv6'))

/** Whether requests to the address are allowed; with `allowPrivate` also to this machine or its network. */
export const mayBeAsked = (address: string, allowPrivate: boolean): boolean => {
  if (isIP(address) === 0) return false
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (never.check(address, family)) return false
  if (allowPrivate) return true
  return !notPublic.check(address, family) && (family === 'ipv4' || isGlobal6(address))
}

/** Finds all addresses of a name, as `lookup` of `node:dns` does. */
export type Resolve = (
  name: string,
  options: LookupAllOptions,
  found: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * As `resolve`, but concurrent calls for a name share one look-up. The system's resolver cannot be stopped, and each look-up
 * takes one of the few threads of Node.js, which files need too. So a stalled resolver takes one thread for each vendor, for any
 * number of calls.
 */
const sharedResolve = (resolve: Resolve): Resolve => {
  const waiting = new Map<string, Parameters<Resolve>[2][]>()
  return (name, options, found) => {
    const key = JSON.stringify([name, options.family, options.hints])
    const others = waiting.get(key)
    if (others !== undefined) {
      others.push(found)
      return
    }
    const all = [found]
    waiting.set(key, all)
    resolve(name, options, (error, addresses) => {
      waiting.delete(key)
      for (const each of all) each(error, addresses)
    })
  }
}

/**
 * A look-up for sockets that refuses a name when one of its addresses is not allowed. A connection goes to the addresses that
 * were checked here, because nothing looks the name up again.
 */
const guardedLookup = (allowPrivate: boolean, resolve: Resolve = lookup): LookupFunction => {
  const resolved = sharedResolve(resolve)
  return (name, options, found) => {
    resolved(name, { ...options, all: true }, (error, addresses) => {
      const [first] = error === null ? addresses : []
      if (error !== null) found(error, '')
      else if (first === undefined || !addresses.every(({ address }) => mayBeAsked(address, allowPrivate)))
        found(new VendorFailure('address'), '')
      else if (options.all === true) found(null, addresses)
      else found(null, first.address, first.family)
    })
  }
}

/**
 * Whether a reference can be sent in a URL. Dots alone would be steps through the vendor's paths, and lone surrogates have no
 * percent-encoding.
 */
export const isPossibleReference = (reference: string): boolean =>
  !/^\.*$/.test(reference) && !/\p{Surrogate}/u.test(reference)

export type ConnectionOptions = Readonly<{
  /** Whether the vendor may be on this machine or its network. */
  allowPrivateAddress: boolean
  /** Looks up names; the system's resolver when absent. */
  resolve?: Resolve
}>

/** Most connections at once; further calls wait for one of them, within their own time. */
const mostConnections = 64

/** Connections to one vendor, kept for the next call. */
export const vendorConnection = ({ allowPrivateAddress, resolve }: ConnectionOptions) => {
  const options = {
    keepAlive: true,
    maxSockets: mostConnections,
    lookup: guardedLookup(allowPrivateAddress, resolve),
  }
  return {
    http: new HttpAgent(options),
    // Certificates are verified even where NODE_TLS_REJECT_UNAUTHORIZED switches that off for the process.
    https: new HttpsAgent({ ...options, rejectUnauthorized: true }),
    /** Throws a `VendorFailure` for a host that is a forbidden address: sockets do not look addresses up. */
    admit: (host: string): void => {
      if (isIP(host) !== 0 && !mayBeAsked(host, allowPrivateAddress)) throw new VendorFailure('address')
    },
  }
}

/** The target of a URL: a name, or an address without brackets, and its port. */
export const placeOf = ({ protocol, hostname, port }: URL) => {
  const secure = protocol === 'https:'
  const host = withoutBrackets(hostname)
  return { secure, host, port: port === '' ? (secure ? 443 : 80) : Number(port) }
}

/** Bytes: vendors' responses about one instruction have a few thousand at most. */
const longestAnswer = 64 * 1024

const opened = (
  connection: ReturnType<typeof vendorConnection>,
  sent: Parameters<typeof boundedGet>[1] & Readonly<{ body?: string }>,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { secure, host, port, path, headers, signal, body } = sent
    const method = body === undefined ? 'GET' : 'POST'
    const send = secure ? httpsRequest : httpRequest
    const agent = secure ? connection.https : connection.http
    send({ method, host, port, path, headers, signal, agent }, resolve)
      // Status 101. Without a listener Node.js would end the connection without an event, and ignore the signal.
      .on('upgrade', (response, socket) => {
        socket.destroy()
        resolve(response)
      })
      .on('error', reject)
      .end(body)
  })

const bodyOf = async (response: IncomingMessage): Promise<string> => {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw new VendorFailure('form')
  if (Number(response.headers['content-length'] ?? 0) > longestAnswer) throw new VendorFailure('size')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestAnswer) throw new VendorFailure('size')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const longestRetryAfter = 3600

/** Whole seconds, 1 to 3600, of a `Retry-After` header; undefined where there is none. */
const waitOf = ({ 'retry-after': header, date = '' }: IncomingHttpHeaders): number | undefined => {
  const now = Date.now()
  // Both times of a date are by the clock of the sender.
  const seconds = retryAfterSeconds(header, httpDate(date, now) ?? now)
  return seconds === undefined ? undefined : Math.min(longestRetryAfter, Math.max(1, Math.ceil(seconds)))
}

/** Statuses below 500 that allow a retry: too slow, too many. */
const retryable: ReadonlySet<number> = new Set([408, 429])

/** The failure of a status without an outcome; undefined for 200 and for refusals (other 4xx). */
const failureOfStatus = (status: number, headers: IncomingHttpHeaders): VendorFailure | undefined => {
  const retryAfter = waitOf(headers)
  if (retryable.has(status)) return new VendorFailure('busy', retryAfter)
  if (status >= 500) return new VendorFailure('status', retryAfter)
  if (status >= 300 && status < 400) return new VendorFailure('redirect')
  return status === 200 || status >= 400 ? undefined : new VendorFailure('form')
}

const kinds: Readonly<Record<string, VendorFailureKind>> = {
  ENOTFOUND: 'name',
  ENODATA: 'name',
  EAI_AGAIN: 'name_lookup',
  ETIMEDOUT: 'time',
  ABORT_ERR: 'time',
}

/** Node.js' codes of the reasons for which OpenSSL refuses a certificate. */
const certificate =
  /CERT|^UNABLE_TO_(?:GET|VERIFY|DECODE|DECRYPT)_|_SIGNATURE|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** Whether the parser refused a response that is not HTTP, or has too long headers. */
const isNoHttp = (code: string): boolean => code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'

/** Whether the error is a bug of this code and not of the network: it has no code, or Node.js refused an argument. */
const isOurs = (code: string): boolean => code === '' || code.startsWith('ERR_INVALID_')

/** The failure of an exchange over the network; throws an error that is a bug of this code. */
const failureOf = (cause: unknown): VendorFailure => {
  if (cause instanceof VendorFailure) return cause
  const code = codeOf(cause)
  if (isOurs(code)) throw cause
  const known = kinds[code]
  if (known !== undefined) return new VendorFailure(known)
  if (certificate.test(code)) return new VendorFailure('certificate')
  return new VendorFailure(isNoHttp(code) ? 'form' : 'connection')
}

/**
 * Sends one GET, with a response of at most 64 KiB, that ends with the signal, follows no redirect, and goes only to allowed
 * addresses. Returns a status of 200 or 4xx with the whole body, which may be of any form. Rejects with a `VendorFailure` when
 * there is no response, or one without an outcome.
 */
export const boundedGet = async (
  connection: ReturnType<typeof vendorConnection>,
  get: Readonly<{
    secure: boolean
    /** A name, or an address without brackets. */
    host: string
    port: number
    /** Path and query, percent-encoded. */
    path: string
    headers: Readonly<Record<string, string>>
    signal: AbortSignal
  }>,
): Promise<Readonly<{ status: number; headers: IncomingHttpHeaders; body: string }>> => {
  let response: IncomingMessage | undefined
  try {
    connection.admit(get.host)
    response = await opened(connection, get)
    const { statusCode: status = 0, headers } = response
    const failure = failureOfStatus(status, headers)
    if (failure !== undefined) throw failure
    return { status, headers, body: await bodyOf(response) }
  } catch (cause) {
    response?.destroy()
    throw failureOf(cause)
  }
}

/**
 * Sends one POST, whose headers contain the length of the body, that ends with the signal, follows no redirect, and goes only to
 * allowed addresses. Reads only the status and `Retry-After` of the response. Rejects with a `VendorFailure` when there is no
 * response.
 */
export const boundedPost = async (
  connection: ReturnType<typeof vendorConnection>,
  post: Parameters<typeof boundedGet>[1] & Readonly<{ body: string }>,
): Promise<Readonly<{ status: number; retryAfterSeconds: number | undefined }>> => {
  try {
    connection.admit(post.host)
    const response = await opened(connection, post)
    // The connection is closed, because nobody needs a body that may be long or slow.
    response.on('error', () => undefined).destroy()
    const { statusCode: status = 0, headers } = response
    return { status, retryAfterSeconds: waitOf(headers) }
  } catch (cause) {
    throw failureOf(cause)
  }
}
