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

/** The bytes of a body that says it is JSON, unpacked, at most `limit` of them. */
export const jsonBytes = async (
  ctx: AppContext,
  limit = bodyLimitBytes,
): Promise<Either<TransportRefusal, Uint8Array>> => {
  const packing = packingOf(ctx, 'application/json')
  return E.isLeft(packing) ? packing : readBytes(ctx.req, packing.right, limit)
}

/** The JSON that a body holds. */
export const jsonIn = async (bytes: Uint8Array): Promise<Either<TransportRefusal, SentPayload>> => {
  const isLong = bytes.length >= longBodyBytes
  // Lets other requests run between reading a long body, parsing it, and checking it.
  if (isLong) await setImmediate()
  const json = jsonOf(bytes)
  if (isLong) await setImmediate()
  return json
}
