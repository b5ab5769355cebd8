import type { IncomingMessage } from 'node:http'
import type { Authenticated, Scope, UseCases } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import type { Refusal, TransportRefusal } from '@account-import/http-contract'
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

/** Whether an address takes the method; where GET is allowed, HEAD is too. */
export const allowMethod = (allowed: 'GET' | 'POST', method: string): Either<TransportRefusal, undefined> => {
  const allow = allowed === 'GET' ? ['GET', 'HEAD'] : [allowed]
  return allow.includes(method) ? E.right(undefined) : E.left({ _tag: 'MethodNotAllowed', allow })
}

const credentials = /^(?:Token|Bearer|JWT) +([^\s,]+)$/i

/** Node keeps the first of several headers, and what a proxy has checked may be another one: several are refused. */
const tokenIn = ({ headersDistinct }: IncomingMessage): Either<Refusal, string> => {
  const [header = '', ...others] = headersDistinct['authorization'] ?? []
  if (header === '' && others.length === 0) return E.left({ _tag: 'NotAuthenticated' })
  const token = others.length === 0 ? credentials.exec(header)?.[1] : undefined
  return token === undefined ? E.left({ _tag: 'AuthenticationFailed' }) : E.right(token)
}

/** The owner of the request, if its token is valid and allows the scope. `token`: where it comes from elsewhere than its header. */
export const authenticated = async (
  ctx: AppContext,
  { authenticate }: Pick<UseCases, 'authenticate'>,
  scope: Scope,
  token: Either<Refusal, string> = tokenIn(ctx.req),
): Promise<Either<Refusal, Authenticated>> => {
  if (E.isLeft(token)) return token
  const claims = await authenticate(token.right)()
  if (E.isLeft(claims)) return claims
  ctx.state.accountImport.organisation = claims.right.organisation
  ctx.state.accountImport.apiKeyId = claims.right.apiKeyId
  return claims.right.scopes.includes(scope) ? claims : E.left({ _tag: 'PermissionDenied' })
}
