import type { Authenticated, Scope, UseCases } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { Refusal } from '@account-import/http-contract'
import type { IncomingMessage } from 'node:http'
import type { AppContext } from './context.js'

const credentials = /^(?:Token|Bearer|JWT) +([^\s,]+)$/i

/** Node keeps the first of several headers, and what a proxy has checked may be another one: several are refused. */
const tokenIn = ({ headersDistinct }: IncomingMessage): Either<Refusal, string> => {
  const [header = '', ...others] = headersDistinct['authorization'] ?? []
  if (header === '' && others.length === 0) return E.left({ _tag: 'NotAuthenticated' })
  const token = others.length === 0 ? credentials.exec(header)?.[1] : undefined
  return token === undefined ? E.left({ _tag: 'AuthenticationFailed' }) : E.right(token)
}

/** Whose request it is, if its token is valid and allows the scope. */
export const authenticated = async (
  ctx: AppContext,
  { authenticate }: Pick<UseCases, 'authenticate'>,
  scope: Scope,
): Promise<Either<Refusal, Authenticated>> => {
  const token = tokenIn(ctx.req)
  if (E.isLeft(token)) return token
  const claims = await authenticate(token.right)()
  if (E.isLeft(claims)) return claims
  ctx.state.accountImport.organisation = claims.right.organisation
  ctx.state.accountImport.apiKeyId = claims.right.apiKeyId
  return claims.right.scopes.includes(scope) ? claims : E.left({ _tag: 'PermissionDenied' })
}
