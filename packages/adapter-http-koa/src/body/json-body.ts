import type { Either } from '@account-import/core'
import { E } from '@account-import/core'
import type { TransportRefusal } from '@account-import/http-contract'
import { bodyLimitBytes, jsonOf } from '@account-import/http-contract'
import type { AppContext } from '../context.js'
import { jsonContent } from './content.js'
import { readBytes } from './read-bytes.js'

/** Reads the body of a request as JSON, at most `limit` bytes of it: fields and rules, section 2, limits. */
export const jsonBody = async (
  ctx: AppContext,
  limit = bodyLimitBytes,
): Promise<Either<TransportRefusal, unknown>> => {
  const packing = jsonContent(ctx)
  if (E.isLeft(packing)) return packing
  const bytes = await readBytes(ctx.req, packing.right, limit)
  return E.isLeft(bytes) ? bytes : jsonOf(bytes.right)
}
