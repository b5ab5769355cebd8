import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { VendorFailure } from '../guard/vendor-failure.js'
import { failureOf } from './failure-of.js'
import { failureOfStatus } from './failure-of-status.js'
import type { VendorConnection } from './vendor-connection.js'

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
