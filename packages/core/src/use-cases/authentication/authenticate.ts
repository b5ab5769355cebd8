import { pipe, TE, type TaskEither } from '../../fp.js'
import type { AccessTokenClaims, VerifiedToken } from '../../ports/access-tokens.js'
import type { ApiKeys } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import type { AuthenticationFailed, TokenExpired } from '../errors.js'
import type { UseCases } from '../signatures.js'
import { isUsable } from './usable-key.js'

const claimsOf = (
  verified: VerifiedToken,
): TaskEither<AuthenticationFailed | TokenExpired, AccessTokenClaims> => {
  if (verified._tag === 'verified') return TE.right(verified.claims)
  return TE.left({ _tag: verified._tag === 'expired' ? 'TokenExpired' : 'AuthenticationFailed' })
}

/** Whom a token stands for. A token of a revoked key is refused. */
export const authenticate =
  ({
    accessTokens,
    apiKeys,
    clock,
  }: Pick<Ports, 'accessTokens' | 'clock'> &
    Readonly<{ apiKeys: Pick<ApiKeys, 'find'> }>): UseCases['authenticate'] =>
  (token) =>
    pipe(
      accessTokens.verify(token, clock.now()),
      TE.flatMap(claimsOf),
      TE.tap((claims) =>
        pipe(
          apiKeys.find(claims.apiKeyId),
          TE.filterOrElseW(
            (record) => record !== undefined && isUsable(record, clock.now()),
            () => ({ _tag: 'AuthenticationFailed' as const }),
          ),
        ),
      ),
    )
