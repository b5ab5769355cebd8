import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'

/** Whether an address takes the method; where GET is allowed, HEAD is too. */
export const allowMethod = (allowed: 'GET' | 'POST', method: string): Either<TransportRefusal, undefined> => {
  const allow = allowed === 'GET' ? ['GET', 'HEAD'] : [allowed]
  return allow.includes(method) ? E.right(undefined) : E.left({ _tag: 'MethodNotAllowed', allow })
}
