import type { AccessTokenClaims, AccessTokens } from '../ports/access-tokens.js'
import { instantOf } from '../values/instant.js'
import { after } from './builders.js'
import { equal, right, type ContractCase } from './contract-case.js'

const port = 'AccessTokens'

const claims: AccessTokenClaims = {
  apiKeyId: 'ab12ab12ab12',
  organisation: 'ORG Ñ',
  scopes: ['read', 'post-import'],
  issuedAt: instantOf(Date.parse('2025-09-01T10:00:00Z')),
  expiresAt: instantOf(Date.parse('2025-09-01T11:00:00Z')),
}

/** Every signer of access tokens. */
export const accessTokenCases: readonly ContractCase<AccessTokens>[] = [
  {
    port,
    title: 'a token comes back with its claims until it expires, at the given instant',
    run: async (tokens) => {
      const token = await right(tokens.sign(claims))
      equal(await right(tokens.verify(token, after(60))), { _tag: 'verified', claims })
      equal(await right(tokens.verify(token, claims.expiresAt)), { _tag: 'expired' })
      equal(await right(tokens.verify(token, after(86_400 * 400))), { _tag: 'expired' })
    },
  },
  {
    port,
    title: 'text that is no token of this signer is invalid, whatever it is',
    run: async (tokens) => {
      const token = await right(tokens.sign(claims))
      const middle = Math.floor(token.length / 2)
      const changed = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`
      for (const text of ['', 'x', 'a.b.c', changed, `${token}x`, token.slice(1)])
        equal(
          await right(tokens.verify(text, after(60))),
          { _tag: 'invalid' },
          `for ${text.length} characters`,
        )
    },
  },
]
