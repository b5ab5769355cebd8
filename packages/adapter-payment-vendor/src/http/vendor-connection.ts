import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { VendorFailure } from '../guard/vendor-failure.js'
import { failureOf, failureOfStatus } from './failures.js'
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

/** Connections to one vendor, kept for the next call. */
export type VendorConnection = Readonly<{
  http: HttpAgent
  https: HttpsAgent
  /** Throws a `VendorFailure` for a host that is itself an address which may not be asked: sockets do not look it up. */
  admit(host: string): void
}>

/** Most connections at once; further calls wait for one of them, within their own time. */
const mostConnections = 64

export const vendorConnection = ({ allowPrivateAddress, resolve }: ConnectionOptions): VendorConnection => {
  const options = {
    keepAlive: true,
    maxSockets: mostConnections,
    lookup: guardedLookup(allowPrivateAddress, resolve),
  }
  return {
    http: new HttpAgent(options),
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise for the whole process.
    https: new HttpsAgent({ ...options, rejectUnauthorized: true }),
    admit: (host) => {
      if (isIP(host) !== 0 && !mayBeAsked(host, allowPrivateAddress)) throw new VendorFailure('address')
    },
  }
}

/** Bytes: what vendors say of one instruction takes a few thousand at most. */
const longestAnswer = 64 * 1024

export type BoundedGet = Readonly<{
  secure: boolean
  /** A name, or an address without brackets. */
  host: string
  port: number
  /** Path and query, percent-encoded. */
  path: string
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
}>

/** A status of 200 or 4xx, with the whole body, which may be of any form. */
export type BoundedAnswer = Readonly<{ status: number; headers: IncomingHttpHeaders; body: string }>

const opened = (connection: VendorConnection, get: BoundedGet): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { secure, host, port, path, headers, signal } = get
    const send = secure ? httpsRequest : httpRequest
    const agent = secure ? connection.https : connection.http
    send({ method: 'GET', host, port, path, headers, signal, agent }, resolve).on('error', reject).end()
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

/**
 * One GET of at most 64 KiB of answer that ends with the signal, follows no redirect, and goes only to addresses that
 * may be asked. Rejects with a `VendorFailure` when no answer comes, or one that says nothing about what was asked.
 */
export const boundedGet = async (connection: VendorConnection, get: BoundedGet): Promise<BoundedAnswer> => {
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
