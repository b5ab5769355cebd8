import { setImmediate } from 'node:timers/promises'
import type { SentPayload } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import { bodyLimitBytes, jsonOf } from '@account-import/http-contract'
import type { AppContext } from '../context.js'
import { packingOf } from './content.js'
import { readBytes } from './read-bytes.js'

/** Parsing bodies of at least this size takes milliseconds, up to a third of a second for the worst ones. */
export const longBodyBytes = 262_144

/** Reads the body of a request as JSON, at most `limit` bytes of it. */
export const jsonBody = async (
  ctx: AppContext,
  limit = bodyLimitBytes,
): Promise<Either<TransportRefusal, SentPayload>> => {
  const packing = packingOf(ctx, 'application/json')
  if (E.isLeft(packing)) return packing
  const bytes = await readBytes(ctx.req, packing.right, limit)
  if (E.isLeft(bytes)) return bytes
  const isLong = bytes.right.length >= longBodyBytes
  // Lets other requests run between reading a long body, parsing it, and checking it.
  if (isLong) await setImmediate()
  const json = jsonOf(bytes.right)
  if (isLong) await setImmediate()
  return json
}
