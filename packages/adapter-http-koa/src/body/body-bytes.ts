import type { IncomingMessage } from 'node:http'
import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, clientGone } from '../context.js'
import { countedBodyBytes, longBodyBytes } from '../limits/body-pool.js'
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

/** Takes room for a body of so many bytes, until its response ends. */
type Hold = (bytes: number) => Promise<Either<TransportRefusal, unknown>>

type Limits = Readonly<{
  /** The most bytes, after decompression. */
  limit: number
  mediaType?: string
  /** Called once for a body that counts, as soon as that is known; absent where all bodies are short. */
  hold?: Hold
}>

const nothingToHold: Either<TransportRefusal, unknown> = E.right(undefined)

/** Takes room for a body once, unless it is shorter than `least`. */
const holdingOnce = (hold: Hold | undefined) => {
  let isHeld = hold === undefined
  return async (bytes: number, least = 0): ReturnType<Hold> => {
    if (isHeld || hold === undefined || bytes < least) return nothingToHold
    isHeld = true
    return hold(bytes)
  }
}

type HoldOnce = ReturnType<typeof holdingOnce>

/** The bytes of a body without a declared length. The rest of a refused body is not read. */
const inParts = async (
  request: IncomingMessage,
  most: number,
  hold: HoldOnce,
): Promise<Either<TransportRefusal, Buffer> | 'too_long'> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) return 'too_long'
    chunks.push(chunk)
    const held = length < longBodyBytes ? nothingToHold : await hold(most)
    if (E.isLeft(held)) return held
  }
  return E.right(Buffer.concat(chunks, length))
}

/** Only unpacking shows the length of a body, so it is first unpacked as if it was not long. */
const unpacked = async (packed: Buffer, limit: number, hold: HoldOnce): Read => {
  const most = Math.min(limit, mostUnpacked(packed.length))
  let plain = packed.length < longBodyBytes ? await unzipped(packed, longBodyBytes) : 'too_long'
  if (plain === 'too_long') {
    const held = await hold(most)
    if (E.isLeft(held)) return held
    plain = await unzipped(packed, most)
  }
  if (plain === 'not_gzip') return E.left({ _tag: 'NotJson', wrong: 'gzip' })
  if (plain !== 'too_long') return E.right(plain)
  return E.left({ _tag: 'PayloadTooLarge', limitBytes: limit, ...(most < limit && { wrong: 'ratio' }) })
}

/** The bytes of a body as it is sent, of which there may be so many. */
const sentBytes = async (
  { req }: AppContext,
  packing: Packing,
  limit: number,
  hold: HoldOnce,
): Promise<Either<TransportRefusal, Buffer> | 'too_long'> => {
  if (req.destroyed) throw clientGone()
  const isPlain = packing === 'plain'
  const most = isPlain ? limit : limit + packedExtraBytes
  const header = req.headers['content-length']
  if (header === undefined) return inParts(req, most, hold)
  const declared = Number(header)
  if (declared > most) return 'too_long'
  const held = await (isPlain ? hold(declared, countedBodyBytes) : hold(declared, longBodyBytes))
  if (E.isLeft(held)) return held
  if (req.destroyed) throw clientGone()
  return E.right(await whole(req, declared))
}

/** The body's bytes, unpacked, at most `limit` of them. Rejects only when the client disconnects. */
export const bodyBytes = async (
  ctx: AppContext,
  { limit, mediaType = 'application/json', ...more }: Limits,
): Read => {
  const packing = packingOf(ctx, mediaType)
  if (E.isLeft(packing)) return packing
  const hold = holdingOnce(more.hold)
  const before = readBefore(ctx, mediaType)
  const sent = before ?? (await sentBytes(ctx, packing.right, limit, hold))
  if (sent === 'too_long') return E.left({ _tag: 'PayloadTooLarge', limitBytes: limit })
  if (E.isLeft(sent)) return sent
  const isGzip = before === undefined ? packing.right === 'gzip' : isPacked(sent.right)
  const plain = isGzip ? await unpacked(sent.right, limit, hold) : sent
  if (E.isLeft(plain)) return plain
  const { length } = plain.right
  if (length > limit) return E.left({ _tag: 'PayloadTooLarge', limitBytes: limit })
  const held = await hold(length, countedBodyBytes)
  return E.isLeft(held) ? held : plain
}
