import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { type CompressCallback, createGunzip, type Gunzip, gunzip } from 'node:zlib'
import type { SentPayload } from '@account-import/core'
import { E, type Either, mapped } from '@account-import/core/adapter-kit'
import { bodyLimitBytes, jsonOf, type TransportRefusal } from '@account-import/http-contract'
import rawBody from 'raw-body'
import { type AppContext, clientGone, whenClosed } from '../context.js'
import {
  type Held,
  longBodyBytes,
  memoryOf,
  type Owner,
  parsingSlice,
  reserve,
  type WorkBudgets,
} from '../limits/work-budgets.js'

/** Account data compresses to a tenth. A body that unpacks to more than a hundred times its length is an attack. */
const mostTimes = 100

/** Unpacked bytes that are allowed at any compression ratio. */
const alwaysBytes = 262_144

/** The largest number of bytes to which `packedBytes` may unpack. */
const mostUnpacked = (packedBytes: number): number => packedBytes * mostTimes + alwaysBytes

const chunkBytes = 65_536

/** A body that cannot be read further. Its connection ends as after a disconnect of the client. */
export class BrokenBody extends Error {
  readonly code = 'ECONNABORTED'
  /** `gzip`: no gzip, or damaged; `ratio`: too high; `blank_lines`: too many in a row; `slow`: a long line took too long. */
  readonly wrong: 'gzip' | 'ratio' | 'blank_lines' | 'slow'

  constructor(wrong: BrokenBody['wrong']) {
    super(`the body cannot be read on: ${wrong}`)
    this.wrong = wrong
  }
}

const isOfZlib = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && cause.code.startsWith('Z_')

/**
 * Unpacks a body as a stream, as fast as it is read. The first chunk is empty, and shows that the body begins as gzip. Throws
 * `BrokenBody` after the last chunk that could be unpacked.
 */
export async function* unzippedStream(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes })
  let sentBytes = 0
  const counted = mapped(packed, (chunk) => {
    sentBytes += chunk.length
    return chunk
  })
  // The end of one stream ends the other; reading gunzip rejects with the error.
  pipeline(Readable.from(counted), gunzip, () => undefined)
  let unpacked = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      if (unpacked > mostUnpacked(gunzip.bytesWritten)) throw new BrokenBody('ratio')
      if (unpacked === chunk.length) yield Buffer.alloc(0)
      yield chunk
    }
    // Unzipping ends at a zero between two members, without an error.
    if (gunzip.bytesWritten !== sentBytes) throw new BrokenBody('gzip')
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

/** The unpacked bytes, and the number of packed bytes that they are made of. */
const unzip = (
  packed: Buffer,
  maxOutputLength: number,
): Promise<Readonly<{ plain: Buffer; packedBytes: number }>> =>
  new Promise((resolve, reject) => {
    const done = (cause: Error | null, unpacked: Readonly<{ buffer: Buffer; engine: Gunzip }>): void =>
      cause === null
        ? resolve({ plain: unpacked.buffer, packedBytes: unpacked.engine.bytesWritten })
        : reject(cause)
    gunzip(packed, { maxOutputLength, info: true }, done as unknown as CompressCallback)
  })

const notGzip = { _tag: 'NotJson', wrong: 'gzip' } as const

type Read = Promise<Either<TransportRefusal, Buffer>>

/** The key of a body, and the memory budgets for reading and processing it. */
type BodyOwner = Owner & Readonly<{ budgets: WorkBudgets }>

const sent = async (request: IncomingMessage, limit: number, limitBytes: number): Read => {
  // After a disconnect, raw-body would report only that the request cannot be read.
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
    const { plain, packedBytes } = await unzip(packed, Math.min(limitBytes, most))
    return packedBytes === packed.length ? E.right(plain) : E.left(notGzip)
  } catch (cause) {
    const tooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    if (!tooLarge) return E.left(notGzip)
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

/** Reserves memory to process a body of `bytes` bytes. */
type Room = (bytes: number) => Promise<Either<TransportRefusal, Held>>

/** Releases the bytes when the response or its connection closes. */
const holdUntilClosed = ({ res }: AppContext, { release }: Held): void => whenClosed(res, release)

/** The body's bytes, unpacked, at most `limit` of them. Rejects only when the client disconnects. */
const readWithin = async (ctx: AppContext, packing: Packing, limit: number, owner: BodyOwner): Read => {
  const { budgets } = owner
  const room: Room = async (bytes) => {
    const working = await reserve(ctx, budgets.working, owner, memoryOf(bytes))
    if (E.isRight(working)) holdUntilClosed(ctx, working.right)
    return working
  }
  const declared = Number(ctx.req.headers['content-length'] ?? limit)
  if (declared < longBodyBytes) return read(ctx.req, packing, limit, room)
  const reading = await reserve(ctx, budgets.reading, owner, Math.min(declared, limit + packedExtraBytes))
  if (E.isLeft(reading)) return reading
  try {
    return await read(ctx.req, packing, limit, room)
  } finally {
    reading.right.release()
  }
}

/**
 * The unpacked bytes of a body of this media type. `owner`: absent for unauthenticated requests, whose limit is low.
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

/** Parses the JSON of a body within the slice of the event loop. `owner`: the organisation, for the fair queue. */
export const jsonIn = async (
  bytes: Uint8Array,
  owner: string,
): Promise<Either<TransportRefusal, Required<SentPayload>>> => {
  if (!parsingSlice.mayBegin()) await parsingSlice.later(owner)
  return jsonOf(bytes)
}
