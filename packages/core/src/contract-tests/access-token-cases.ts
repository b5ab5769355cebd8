import type { AccessTokenClaims, AccessTokens } from '../ports/access.js'
import { instantOf } from '../values/instant.js'
import { after } from './builders.js'
import { casesOf, equal, right } from './contract-case.js'

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const claims: AccessTokenClaims = {
  apiKeyId: 'ab12ab12ab12',
  organisation: 'ORG Ñ',
  scopes: ['read', 'post-import'],
  family: 'f'.repeat(64),
  issuedAt: instantOf(Date.parse('2025-09-01T10:00:00Z')),
  expiresAt: instantOf(Date.parse('2025-09-01T11:00:00Z')),
}

/** Every signer of access tokens. */
export const accessTokenCases = casesOf<AccessTokens>('AccessTokens', {
  'a token comes back with its claims until it expires, at the given instant': async (tokens) => {
    const token = await right(tokens.sign(claims))
    equal(await right(tokens.verify(token, after(60))), { _tag: 'verified', claims })
    equal(await right(tokens.verify(token, claims.expiresAt)), { _tag: 'expired' })
    equal(await right(tokens.verify(token, after(86_400 * 400))), { _tag: 'expired' })
  },
  'text that is no token of this signer is invalid, whatever it is': async (tokens) => {
    const token = await right(tokens.sign(claims))
    const middle = Math.floor(token.length / 2)
    const changed = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`
    for (const text of ['', 'x', 'a.b.c', changed, `${token}x`, token.slice(1)])
      equal(await right(tokens.verify(text, after(60))), { _tag: 'invalid' }, `for ${text.length} characters`)
  },
  'a token is one text only: with any other last character it is invalid': async (tokens) => {
    const token = await right(tokens.sign(claims))
    const others = base64url.split('').filter((character) => !token.endsWith(character))
    const verified = await Promise.all(
      others.map((character) => right(tokens.verify(`${token.slice(0, -1)}${character}`, after(60)))),
    )
    equal(
      verified.map(({ _tag }) => _tag),
      others.map(() => 'invalid'),
    )
  },
})
