import { pipe, TE } from '../fp.js'
import type { AccessTokens, VerifiedToken } from '../ports/access-tokens.js'

const mostEntries = 10_000

/**
 * Verifies the signature of a token the first time, after that only its expiry: a client sends the same token with
 * thousands of requests, and a right signature stays right. Tokens that were refused are not remembered.
 */
export const rememberedAccessTokens = (accessTokens: AccessTokens): AccessTokens => {
  const known = new Map<string, Extract<VerifiedToken, { _tag: 'verified' }>>()

  const remember = (token: string, verified: VerifiedToken): void => {
    if (verified._tag !== 'verified') return
    known.set(token, verified)
    if (known.size <= mostEntries) return
    const [oldest] = known.keys()
    if (oldest !== undefined) known.delete(oldest)
  }

  return {
    ...accessTokens,
    verify: (token, at) => {
      const verified = known.get(token)
      if (verified !== undefined && verified.claims.expiresAt > at) return TE.right(verified)
      known.delete(token)
      return pipe(
        accessTokens.verify(token, at),
        TE.tapIO((result) => () => remember(token, result)),
      )
    },
  }
}
