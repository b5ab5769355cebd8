import type { AccessTokenClaims, AccessTokens, VerifiedToken } from '../ports/access-tokens.js'
import { portCall } from '../ports/port-failure.js'
import type { Secrets } from '../ports/secrets.js'
import { toTheSecond, type Instant } from '../values/instant.js'

const mostTokens = 100_000

/** Tokens that are random handles; they end with the process, or when very many newer ones were made. */
export const inMemoryAccessTokens = (secrets: Secrets): AccessTokens => {
  const known = new Map<string, AccessTokenClaims>()
  const call = portCall('accessTokens')
  const verified = (claims: AccessTokenClaims | undefined, at: Instant): VerifiedToken => {
    if (claims === undefined) return { _tag: 'invalid' }
    return claims.expiresAt <= at ? { _tag: 'expired' } : { _tag: 'verified', claims }
  }
  return {
    sign: (claims) =>
      call('sign', async () => {
        const token = secrets.generate()
        known.set(token, {
          ...claims,
          issuedAt: toTheSecond(claims.issuedAt),
          expiresAt: toTheSecond(claims.expiresAt),
        })
        const [oldest] = known.keys()
        if (known.size > mostTokens && oldest !== undefined) known.delete(oldest)
        return token
      }),
    verify: (token, at) => call('verify', async () => verified(known.get(token), at)),
  }
}
