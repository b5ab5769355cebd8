import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import type { AppContext } from '../context.js'

/** How the bytes of a body are packed. */
export type Packing = 'plain' | 'gzip'

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
