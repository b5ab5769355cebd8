import { E, type Either } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import type { AppContext } from './context.js'

const json = ['application/json', 'application/json; charset=utf-8']

/** Whether the client takes one of the types that its answer could have; without a header it takes any. */
export const acceptable = (
  ctx: AppContext,
  types: readonly string[] = json,
): Either<TransportRefusal, undefined> => {
  const accept = ctx.req.headers.accept
  const accepted =
    accept === undefined || accept === '*/*' || accept === 'application/json' || ctx.accepts([...types])
  return accepted === false ? E.left({ _tag: 'NotAcceptable' }) : E.right(undefined)
}
