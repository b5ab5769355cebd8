import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import { acceptable } from './acceptable.js'
import { allowMethod } from './allow-method.js'
import type { AppContext } from './context.js'

/** What is checked before authentication: the method, then whether the client accepts JSON. */
export const admissible = (
  ctx: AppContext,
  method: 'GET' | 'POST',
  types?: readonly string[],
): Either<TransportRefusal, undefined> => {
  const allowed = allowMethod(method, ctx.method)
  return E.isLeft(allowed) ? allowed : acceptable(ctx, types)
}
