import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { VendorFailure, type VendorFailureKind } from '../vendor-failure.js'
import { guardedLookup, mayBeAsked, type Resolve } from './addresses.js'

/**
 * Whether a vendor on the web can have an instruction of this name. Dots alone, which would be steps through the
 * vendor's paths, and halves of characters, which have no percent-encoding, are no names.
 */
export const isPossibleReference = (reference: string): boolean =>
  !/^\.*$/.test(reference) && !/\p{Surrogate}/u.test(reference)

export type ConnectionOptions = Readonly<{
  /** Whether the vendor may lie on the own machine or network. */
  allowPrivateAddress: boolean
  /** How names are looked up; the system's resolver when absent. */
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
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise for the whole process.
    https: new HttpsAgent({ ...options, rejectUnauthorized: true }),
    /** Throws a `VendorFailure` for a host that is itself an address which may not be asked: sockets do not look it up. */
    admit: (host: string): void => {
      if (isIP(host) !== 0 && !mayBeAsked(host, allowPrivateAddress)) throw new VendorFailure('address')
    },
  }
}

/** Where a URL leads: a name, or an address without brackets, and its port. */
export const placeOf = ({ protocol, hostname, port }: URL) => {
  const secure = protocol === 'https:'
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  return { secure, host, port: port === '' ? (secure ? 443 : 80) : Number(port) }
}

/** Bytes: what vendors say of one instruction takes a few thousand at most. */
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
      // Status 101. Without a listener Node.js would end the connection and tell nobody, whatever the signal says.
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

/** Whole seconds, 1 to 3600, of a `Retry-After` header in either of its forms; undefined where there is none. */
const retryAfterSeconds = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(longestRetryAfter, Math.max(1, seconds))
}

/** Statuses below 500 that ask to come again: too slow, too many. */
const comeAgain: ReadonlySet<number> = new Set([408, 429])

/** The failure of a status that says nothing about what was asked; undefined for 200 and for refusals (other 4xx). */
const failureOfStatus = (status: number, headers: IncomingHttpHeaders): VendorFailure | undefined => {
  const retryAfter = retryAfterSeconds(headers['retry-after'], Date.now())
  if (comeAgain.has(status)) return new VendorFailure('busy', retryAfter)
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

/** How Node.js names the reasons for which OpenSSL refuses a certificate. */
const certificate =
  /CERT|^UNABLE_TO_(?:GET|VERIFY|DECODE|DECRYPT)_|_SIGNATURE|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** The parser refuses what is no HTTP, or headers that are too long. */
const isNoHttp = (code: string): boolean => code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'

/** Errors that are ours and not the network's: no code, or an argument that Node.js refuses. */
const isOurs = (code: string): boolean => code === '' || code.startsWith('ERR_INVALID_')

/** The meaning of a failed exchange over the network; throws a bug of our code. */
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
 * One GET of at most 64 KiB of answer that ends with the signal, follows no redirect, and goes only to addresses that
 * may be asked. Answers a status of 200 or 4xx, with the whole body, which may be of any form. Rejects with a `VendorFailure`
 * when no answer comes, or one that says nothing about what was asked.
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
 * One POST of a body, whose length headers say, that ends with the signal, follows no redirect, and goes only to addresses that
 * may be asked. Nothing of the answer is read but its status and `Retry-After`. Rejects with a `VendorFailure` when no answer
 * comes.
 */
export const boundedPost = async (
  connection: ReturnType<typeof vendorConnection>,
  post: Parameters<typeof boundedGet>[1] & Readonly<{ body: string }>,
): Promise<Readonly<{ status: number; retryAfterSeconds: number | undefined }>> => {
  try {
    connection.admit(post.host)
    const response = await opened(connection, post)
    // Its connection ends with it: nobody waits for a body that is long or slow.
    response.on('error', () => undefined).destroy()
    const { statusCode: status = 0, headers } = response
    return { status, retryAfterSeconds: retryAfterSeconds(headers['retry-after'], Date.now()) }
  } catch (cause) {
    throw failureOf(cause)
  }
}
