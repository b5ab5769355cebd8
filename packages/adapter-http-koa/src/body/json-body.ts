import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import type { SentPayload } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import { bodyLimitBytes, jsonOf, type TransportRefusal } from '@account-import/http-contract'
import rawBody from 'raw-body'
import { type AppContext, clientGone, whenClosed } from '../context.js'
import {
  type Held,
  longBodyBytes,
  memoryOf,
  parsingSlice,
  reserve,
  type WorkBudgets,
} from '../limits/work-budgets.js'

/** Data of accounts is packed to a tenth. Text that unpacks to more than a hundred times its length is made to do so. */
const mostTimes = 100

/** So much harms nobody, however well it was packed. */
const alwaysBytes = 262_144

/** Bytes that so many packed bytes may unpack to. */
const mostUnpacked = (packedBytes: number): number => packedBytes * mostTimes + alwaysBytes

const chunkBytes = 65_536

/** A body of which nothing more can be read. Its connection ends as if the client had ended it. */
export class BrokenBody extends Error {
  readonly code = 'ECONNABORTED'
  /** `gzip`: the body is no gzip, or damaged; `ratio`: it unpacks to too much; `slow`: a long line took too long. */
  readonly wrong: 'gzip' | 'ratio' | 'blank_lines' | 'slow'

  constructor(wrong: BrokenBody['wrong']) {
    super(`the body cannot be read on: ${wrong}`)
    this.wrong = wrong
  }
}

const isOfZlib = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('Z_')

/**
 * Unpacks a body while it comes, as fast as it is read. The first chunk is empty: that it comes says that the body begins as gzip.
 * Throws `BrokenBody` after what could be unpacked.
 */
export async function* unzippedStream(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  // The end of one of the two ends the other; reading gunzip rejects with it.
  pipeline(Readable.from(packed), gunzip, () => undefined)
  let unpacked = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      if (unpacked > mostUnpacked(gunzip.bytesWritten)) throw new BrokenBody('ratio')
      if (unpacked === chunk.length) yield Buffer.alloc(0)
      yield chunk
    }
  } catch (cause) {
    throw isOfZlib(cause) ? new BrokenBody('gzip') : cause
  }
}

type Packing = 'plain' | 'gzip'

const packings = new Map<string | undefined, Packing>([
  [undefined, 'plain'],
  ['', 'plain'],
  ['identity', 'plain'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
])

const isOfType = ({ request }: AppContext, mediaType: string): boolean => {
  if (request.headers['content-type'] === mediaType) return true
  const charset = request.charset.toLowerCase()
  return request.type.toLowerCase() === mediaType && (charset === '' || charset === 'utf-8')
}

/** Accepts a media type in UTF-8, plain or packed by gzip; anything else, also no content type, is refused. */
export const packingOf = (ctx: AppContext, mediaType: string): Either<TransportRefusal, Packing> => {
  const packing = packings.get(ctx.req.headers['content-encoding']?.trim().toLowerCase())
  return packing !== undefined && isOfType(ctx, mediaType)
    ? E.right(packing)
    : E.left({ _tag: 'UnsupportedMediaType' })
}

/** Gzip makes bytes that cannot be compressed a little longer; this is more than it adds to the largest body. */
const packedExtraBytes = 65_536

const unzip = promisify(gunzip)

type Read = Promise<Either<TransportRefusal, Buffer>>

/** The budgets within which a body is read and worked on. */
type BodyOwner = Readonly<{ key: string; budgets: WorkBudgets }>

const sent = async (request: IncomingMessage, limit: number, limitBytes: number): Read => {
  // Once the client has gone, raw-body says only that the request cannot be read.
  if (request.destroyed) throw clientGone()
  try {
    const length = request.headers['content-length']
    return E.right(await rawBody(request, length === undefined ? { limit } : { limit, length }))
  } catch (cause) {
    if (cause instanceof Error && 'status' in cause && cause.status === 413)
      return E.left({ _tag: 'PayloadTooLarge', limitBytes })
    throw cause
  }
}

/** Unpacks the bytes, and stops as soon as there are more than the limit, or more than they may unpack to. */
const unzipped = async (packed: Buffer, limitBytes: number): Read => {
  const most = mostUnpacked(packed.length)
  try {
    return E.right(await unzip(packed, { maxOutputLength: Math.min(limitBytes, most) }))
  } catch (cause) {
    const tooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    if (!tooLarge) return E.left({ _tag: 'NotJson' })
    return E.left({ _tag: 'PayloadTooLarge', limitBytes, ...(most < limitBytes && { wrong: 'ratio' }) })
  }
}

const read = async (request: IncomingMessage, packing: Packing, limit: number, room?: Room): Read => {
  const isPlain = packing === 'plain'
  const bytes = await sent(request, isPlain ? limit : limit + packedExtraBytes, limit)
  if (E.isLeft(bytes)) return bytes
  const most = isPlain ? bytes.right.length : Math.min(limit, mostUnpacked(bytes.right.length))
  const working = await room?.(most)
  if (working !== undefined && E.isLeft(working)) return working
  if (isPlain) return bytes
  const plain = await unzipped(bytes.right, limit)
  working?.right.shrinkTo(E.isLeft(plain) ? 0 : memoryOf(plain.right.length))
  return plain
}

/** Memory to work on so many bytes. */
type Room = (bytes: number) => Promise<Either<TransportRefusal, Held>>

/** Gives the bytes back when the answer has ended, or its client has gone. */
const holdUntilClosed = ({ res }: AppContext, { release }: Held): void => whenClosed(res, release)

/** The body's bytes, unpacked, at most `limit` of them. Rejects only when the client goes away. */
const readWithin = async (ctx: AppContext, packing: Packing, limit: number, owner: BodyOwner): Read => {
  const { key, budgets } = owner
  const room: Room = async (bytes) => {
    const working = await reserve(ctx, budgets.working, key, memoryOf(bytes))
    if (E.isRight(working)) holdUntilClosed(ctx, working.right)
    return working
  }
  const declared = Number(ctx.req.headers['content-length'] ?? limit)
  if (declared < longBodyBytes) return read(ctx.req, packing, limit, room)
  const reading = await reserve(ctx, budgets.reading, key, Math.min(declared, limit + packedExtraBytes))
  if (E.isLeft(reading)) return reading
  try {
    return await read(ctx.req, packing, limit, room)
  } finally {
    reading.right.release()
  }
}

/**
 * The bytes of a body that says it is JSON, or of another media type, unpacked. `owner`: absent for requests that nobody has
 * authenticated, whose limit is low.
 */
export const bodyBytes = async (
  ctx: AppContext,
  owner?: BodyOwner,
  limit = bodyLimitBytes,
  mediaType = 'application/json',
): Promise<Either<TransportRefusal, Uint8Array>> => {
  const packing = packingOf(ctx, mediaType)
  if (E.isLeft(packing)) return packing
  return owner === undefined
    ? read(ctx.req, packing.right, limit)
    : readWithin(ctx, packing.right, limit, owner)
}

/** The JSON that a body holds, parsed within the slice of the event loop. `owner`: whose turn it is; organisations take turns. */
export const jsonIn = async (
  bytes: Uint8Array,
  owner: string,
): Promise<Either<TransportRefusal, Required<SentPayload>>> => {
  if (!parsingSlice.mayBegin()) await parsingSlice.later(owner)
  return jsonOf(bytes)
}
