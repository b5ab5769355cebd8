import type { IncomingMessage } from 'node:http'
import type { PortFailure, SentPayload } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { tooManyValues } from '@account-import/core/payloads'
import {
  jsonOf,
  type NotReadable,
  requestValuesLimit,
  type TooManyValues,
  type TransportRefusal,
} from '@account-import/http-contract'
import { type AppContext, clientGone, HostFault } from '../context.js'
import { countedBodyBytes, longBodyBytes } from '../limits.js'
import { mostUnpacked, unzipped } from './gzip.js'

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

const formType = 'application/x-www-form-urlencoded'

const advice =
  'A body parser of the host application read the body. Mount this application before the parser, or let the parser keep the bytes as rawBody.'

const unusable: Either<TransportRefusal, never> = E.left({
  _tag: 'Unexpected',
  cause: new HostFault('BodyReadBefore', advice),
})

/** Where parsers keep a body: those of Koa on its request, all others on the request of Node.js. */
const kept = ({ req, request }: AppContext, name: 'rawBody' | 'body'): unknown =>
  Reflect.get(req, name) ?? Reflect.get(request, name)

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The longest text, in bytes, that is taken for an empty object: parsers leave one for a body that they could not parse. */
const emptyBytes = 64

const isLeftOver = ({ req }: AppContext, body: object): boolean =>
  Object.keys(body).length === 0 && Number(req.headers['content-length'] ?? 0) > emptyBytes

const isText = (value: unknown): value is string => typeof value === 'string'

/** The text of the fields of a form; undefined where a field is no text and no list of texts. */
const formText = (fields: object): string | undefined => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (!texts.every(isText)) return undefined
    for (const text of texts) form.append(name, text)
  }
  return form.toString()
}

const jsonText = (body: unknown): Either<TransportRefusal, string> => {
  try {
    return E.right(JSON.stringify(body))
  } catch (cause) {
    // The stack of a writer is shorter than that of a parser.
    return cause instanceof RangeError ? E.left({ _tag: 'PayloadTooDeep' }) : unusable
  }
}

/**
 * The body that a parser of the host application read; undefined where nobody read it. Its bytes where the parser kept them, else
 * the text of the parsed value, which shows neither repeated keys nor digits that were lost.
 */
export const readBefore = (
  ctx: AppContext,
  mediaType: string,
): Either<TransportRefusal, Buffer> | undefined => {
  if (!ctx.req.readableDidRead && !ctx.req.readableEnded) return undefined
  const body = kept(ctx, 'rawBody') ?? kept(ctx, 'body')
  if (isBytes(body)) return E.right(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
  if (isText(body)) return E.right(Buffer.from(body))
  if (ctx.req.headers['content-length'] === '0') return E.right(Buffer.alloc(0))
  if (body === undefined || (isObject(body) && isLeftOver(ctx, body))) return unusable
  if (mediaType !== formType) return E.map((text: string) => Buffer.from(text))(jsonText(body))
  const form = isObject(body) ? formText(body) : undefined
  return form === undefined ? unusable : E.right(Buffer.from(form))
}

/** Whether the bytes are packed: parsers unpack a body, or hand it on as it came. No text in UTF-8 begins so. */
export const isPacked = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

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

type Unreadable = NotReadable | PortFailure

/**
 * Reads the bytes of a long body where that delays no other request. It may read only the part of an account that `SentPayload` needs
 * beside the text. Rejects only with the reason of `gone`.
 */
export type ReadLong = (
  bytes: Uint8Array,
  isAccount: boolean,
  gone: AbortSignal,
) => Promise<Either<NotReadable | PortFailure | TooManyValues, SentPayload>>

/** `readLong`: absent where this thread reads all bodies. */
export type Reader = Readonly<{ readLong?: ReadLong | undefined; gone: () => AbortSignal }>

const read = async (
  bytes: Uint8Array,
  isAccount: boolean,
  reader: Reader | undefined,
): ReturnType<ReadLong> =>
  reader?.readLong === undefined || bytes.length < longBodyBytes
    ? isAccount
      ? jsonOf(bytes)
      : jsonOf(bytes, requestValuesLimit)
    : reader.readLong(bytes, isAccount, reader.gone())

/** Parses the JSON of an account. One with too many values is not parsed, and has its names and that error. */
export const parsedAccount = async (
  bytes: Uint8Array,
  reader: Reader,
): Promise<Either<Unreadable, SentPayload>> => {
  const sent = await read(bytes, true, reader)
  if (E.isRight(sent)) return sent
  const { left } = sent
  return left._tag === 'TooManyValues'
    ? E.right({ payload: left.names, errors: tooManyValues(left.longest) })
    : E.left(left)
}

type RequestUnreadable = Unreadable | Extract<TransportRefusal, { _tag: 'RequestNotValid' }>

/** Parses the JSON of any other request. */
export const parsedRequest = async (
  bytes: Uint8Array,
  reader?: Reader,
): Promise<Either<RequestUnreadable, SentPayload>> =>
  E.mapLeft((left: Unreadable | TooManyValues): RequestUnreadable =>
    left._tag === 'TooManyValues'
      ? { _tag: 'RequestNotValid', errors: tooManyValues(left.longest, requestValuesLimit) }
      : left,
  )(await read(bytes, false, reader))

/** The fields of a form of at most `limit` bytes. */
export const formOf = async (
  ctx: AppContext,
  limit: number,
): Promise<Either<TransportRefusal, URLSearchParams>> =>
  E.map((bytes: Buffer) => new URLSearchParams(bytes.toString()))(
    await bodyBytes(ctx, { limit, mediaType: formType }),
  )
