import type { AccessTokenClaims, Scope, UseCases } from '@account-import/core'
import type { Either } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/adapter-kit'
import type { Refusal } from '@account-import/http-contract'
import type { AppContext } from './context.js'

const credentials = /^(?:Token|Bearer|JWT) +([^\s,]+)$/i

const tokenIn = (header: string | undefined): Either<Refusal, string> => {
  if (header === undefined || header === '') return E.left({ _tag: 'NotAuthenticated' })
  const token = credentials.exec(header)?.[1]
  return token === undefined ? E.left({ _tag: 'AuthenticationFailed' }) : E.right(token)
}

/** Whose request it is, if its token is valid and allows the scope. */
export const authenticated = async (
  ctx: AppContext,
  { authenticate }: Pick<UseCases, 'authenticate'>,
  scope: Scope,
): Promise<Either<Refusal, AccessTokenClaims>> => {
  const token = tokenIn(ctx.req.headers.authorization)
  if (E.isLeft(token)) return token
  const claims = await authenticate(token.right)()
  if (E.isLeft(claims)) return claims
  ctx.state.accountImport.organisation = claims.right.organisation
  return claims.right.scopes.includes(scope) ? claims : E.left({ _tag: 'PermissionDenied' })
}
