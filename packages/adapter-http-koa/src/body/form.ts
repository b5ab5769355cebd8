import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'
import type { AppContext } from '../context.js'
import { bodyBytes } from './body-bytes.js'

const mediaType = 'application/x-www-form-urlencoded'

/** The fields of a form of at most `limit` bytes. */
export const formOf = async (
  ctx: AppContext,
  limit: number,
): Promise<Either<TransportRefusal, URLSearchParams>> =>
  E.map((bytes: Buffer) => new URLSearchParams(bytes.toString()))(await bodyBytes(ctx, { limit, mediaType }))
