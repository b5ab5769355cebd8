import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, HostFault } from '../context.js'

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
  if (mediaType !== 'application/x-www-form-urlencoded')
    return E.map((text: string) => Buffer.from(text))(jsonText(body))
  const form = isObject(body) ? formText(body) : undefined
  return form === undefined ? unusable : E.right(Buffer.from(form))
}

/** Whether the bytes are packed: parsers unpack a body, or hand it on as it came. No text in UTF-8 begins so. */
export const isPacked = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
