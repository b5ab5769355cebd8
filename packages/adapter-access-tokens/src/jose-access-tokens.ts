import { jwtVerify, SignJWT, errors } from 'jose'
import { millisecondsOf, portCall, type AccessTokens, type VerifiedToken } from '@account-import/core'
import type { SigningKey } from './signing-key.js'
import { fromTokenPayload } from './token-payload.js'

/** Who makes the tokens and whom they are for; a token of another pair is `invalid`. */
export type TokenNames = Readonly<{ issuer: string; audience: string }>

export const defaultTokenNames: TokenNames = {
  issuer: 'account-import',
  audience: 'account-import/data-import',
}

// The type of access tokens (RFC 9068), so that another kind of JWT made with the same key is not taken for one.
const tokenType = 'at+jwt'

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/**
 * The last character of base64 may hold bits that mean nothing, so that several texts are one token. Only the text that was
 * made is taken: whoever keeps a list of tokens by their texts can rely on it.
 */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)

const outcomeOf = (failure: unknown): VerifiedToken => {
  if (failure instanceof errors.JWTExpired) return { _tag: 'expired' }
  if (failure instanceof errors.JOSEError) return { _tag: 'invalid' }
  throw failure
}

/**
 * Access tokens as signed JWTs: HS256 or EdDSA, as the key says. Signature, algorithm, type, issuer, audience and
 * expiry are all checked, the expiry against the instant that the caller gives.
 */
export const joseAccessTokens = (key: SigningKey, names: TokenNames = defaultTokenNames): AccessTokens => {
  const call = portCall('accessTokens')
  const verify = async (token: string, currentDate: Date): Promise<VerifiedToken> => {
    if (!isCanonical(token)) return { _tag: 'invalid' }
    const { payload } = await jwtVerify(token, key.verify, {
      ...names,
      algorithms: [key.algorithm],
      typ: tokenType,
      currentDate,
      requiredClaims: ['exp', 'iat', 'sub'],
    })
    return fromTokenPayload(payload)
  }
  return {
    sign: (claims) =>
      call('sign', () =>
        new SignJWT({ org: claims.organisation, scopes: claims.scopes })
          .setProtectedHeader({ alg: key.algorithm, typ: tokenType })
          .setIssuer(names.issuer)
          .setAudience(names.audience)
          .setSubject(claims.apiKeyId)
          .setIssuedAt(seconds(millisecondsOf(claims.issuedAt)))
          .setExpirationTime(seconds(millisecondsOf(claims.expiresAt)))
          .sign(key.sign),
      ),
    verify: (token, at) => call('verify', () => verify(token, new Date(millisecondsOf(at))).catch(outcomeOf)),
  }
}
