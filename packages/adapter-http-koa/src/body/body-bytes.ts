import type { IncomingMessage } from 'node:http'
import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, clientGone } from '../context.js'
import { longBodyBytes } from '../limits/body-places.js'
import { mostUnpacked, unzipped } from './gzip.js'
import { isPacked, readBefore } from './read-before.js'

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

type Read = Promise<Either<TransportRefusal, Buffer>>

/** The bytes of a body with a declared length, in one buffer. Rejects when the client disconnects. */
const whole = (request: IncomingMessage, length: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let bytes: Buffer | undefined
    let filled = 0
    request.on('data', (chunk: Buffer) => {
      // Most bodies arrive in one chunk.
      if (bytes === undefined && chunk.length === length) bytes = chunk
      else filled += chunk.copy((bytes ??= Buffer.allocUnsafeSlow(length)), filled)
    })
    request.once('end', () => resolve(bytes ?? Buffer.alloc(0)))
    request.once('error', reject)
    request.once('close', () => {
      // An error is not made without need: its stack takes longer than all else here.
      if (!request.readableEnded) reject(clientGone())
    })
  })

/** Takes a place for a long body, until its response ends. */
type TakePlace = () => Promise<Either<TransportRefusal, unknown>>

type Limits = Readonly<{
  /** The most bytes, after decompression. */
  limit: number
  mediaType?: string
  /** Called once for a long body, before more of it is read or unpacked; absent where all bodies are short. */
  takePlace?: TakePlace
}>

/** The bytes of a body of any length up to `most`. The rest of a refused body is not read. */
const inParts = async (
  request: IncomingMessage,
  declared: number | undefined,
  most: number,
  takePlace: TakePlace,
): Promise<Either<TransportRefusal, Buffer> | 'too_long'> => {
  const chunks: Buffer[] = []
  let length = 0
  let hasPlace = false
  const needsPlace = async (bytes: number): Promise<Either<TransportRefusal, unknown>> => {
    if (hasPlace || bytes < longBodyBytes) return E.right(undefined)
    hasPlace = true
    return takePlace()
  }
  const first = await needsPlace(declared ?? 0)
  if (E.isLeft(first)) return first
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) return 'too_long'
    chunks.push(chunk)
    const place = await needsPlace(length)
    if (E.isLeft(place)) return place
  }
  return E.right(Buffer.concat(chunks, length))
}

/** Unpacks a body. A short one needs no place, and only unpacking shows its length. */
const unpacked = async (packed: Buffer, limit: number, takePlace: TakePlace | undefined): Read => {
  const most = Math.min(limit, mostUnpacked(packed.length))
  const shortly = Math.min(most, longBodyBytes)
  let plain = await unzipped(packed, packed.length < longBodyBytes ? shortly : most)
  if (plain === 'too_long' && shortly < most && packed.length < longBodyBytes) {
    const place = await takePlace?.()
    if (place !== undefined && E.isLeft(place)) return place
    plain = await unzipped(packed, most)
  }
  if (plain === 'not_gzip') return E.left({ _tag: 'NotJson', wrong: 'gzip' })
  if (plain !== 'too_long') return E.right(plain)
  return E.left({ _tag: 'PayloadTooLarge', limitBytes: limit, ...(most < limit && { wrong: 'ratio' }) })
}

/** A body that was read before, within the same limits. */
const limited = async (bytes: Buffer, limit: number, takePlace: TakePlace): Read => {
  if (bytes.length > limit) return E.left({ _tag: 'PayloadTooLarge', limitBytes: limit })
  const place = bytes.length < longBodyBytes ? E.right(undefined) : await takePlace()
  if (E.isLeft(place)) return place
  return isPacked(bytes) ? unpacked(bytes, limit, takePlace) : E.right(bytes)
}

const noPlace: TakePlace = async () => E.right(undefined)

/** The body's bytes, unpacked, at most `limit` of them. Rejects only when the client disconnects. */
export const bodyBytes = async (
  ctx: AppContext,
  { limit, mediaType = 'application/json', takePlace = noPlace }: Limits,
): Read => {
  const packing = packingOf(ctx, mediaType)
  if (E.isLeft(packing)) return packing
  const { req } = ctx
  const before = readBefore(ctx, mediaType)
  if (before !== undefined) return E.isLeft(before) ? before : limited(before.right, limit, takePlace)
  if (req.destroyed) throw clientGone()
  const most = packing.right === 'plain' ? limit : limit + packedExtraBytes
  const header = req.headers['content-length']
  const declared = header === undefined ? undefined : Number(header)
  const tooLarge: TransportRefusal = { _tag: 'PayloadTooLarge', limitBytes: limit }
  if (declared !== undefined && declared > most) return E.left(tooLarge)
  const bytes =
    declared !== undefined && declared < longBodyBytes
      ? E.right(await whole(req, declared))
      : await inParts(req, declared, most, takePlace)
  if (bytes === 'too_long') return E.left(tooLarge)
  if (E.isLeft(bytes) || packing.right === 'plain') return bytes
  return unpacked(bytes.right, limit, takePlace)
}
