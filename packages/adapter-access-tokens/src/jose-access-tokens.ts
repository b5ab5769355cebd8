import * as t from 'io-ts'
import { jwtVerify, SignJWT, errors, type JWTHeaderParameters } from 'jose'
import type { KeyObject } from 'node:crypto'
import {
  type AccessTokens,
  instantOf,
  millisecondsOf,
  portOf,
  type Scope,
  scopes,
  type VerifiedToken,
} from '@account-import/core'
import type { SigningKey, VerificationKey } from './signing-key.js'

/** The issuer and the audience of the tokens; a token of another pair is `invalid`. */
export const defaultTokenNames = {
  issuer: 'account-import',
  audience: 'account-import/data-import',
}

// The type of access tokens (RFC 9068), so that no other kind of JWT of the same key is accepted.
const tokenType = 'at+jwt'

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/**
 * The last character of base64 may contain unused bits, so that several texts decode to one token. Only the original text is
 * accepted, so that lists of tokens can compare texts.
 */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)

const isScope = (u: unknown): u is Scope => scopes.some((scope) => scope === u)

const scope = new t.Type<Scope, Scope, unknown>(
  'scope',
  isScope,
  (u, context) => (isScope(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

const tokenPayload = t.type({
  sub: t.string,
  org: t.string,
  scopes: t.readonlyArray(scope),
  sid: t.string,
  aud: t.string,
  iat: t.Int,
  exp: t.Int,
})

/** The audience of tokens for the pages in a browser, which servers of earlier versions refuse too. */
const ofPages = (audience: string): string => `${audience}/pages`

/** The claims of a token whose signature was checked; a token without a claim, or with an unknown value, is `invalid`. */
const fromTokenPayload = (payload: unknown, audience: string): VerifiedToken => {
  const decoded = tokenPayload.decode(payload)
  if (decoded._tag === 'Left') return { _tag: 'invalid' }
  const { sub, org, scopes: granted, sid, aud, iat, exp } = decoded.right
  return {
    _tag: 'verified',
    claims: {
      apiKeyId: sub,
      organisation: org,
      scopes: granted,
      family: sid,
      issuedAt: instantOf(iat * 1000),
      expiresAt: instantOf(exp * 1000),
      ...(aud === ofPages(audience) && { use: 'pages' }),
    },
  }
}

const outcomeOf = (failure: unknown): VerifiedToken => {
  if (failure instanceof errors.JWTExpired) return { _tag: 'expired' }
  if (failure instanceof errors.JOSEError) return { _tag: 'invalid' }
  throw failure
}

const invalid: VerifiedToken = { _tag: 'invalid' }

const verifyWith = async (
  key: VerificationKey,
  names: Readonly<typeof defaultTokenNames>,
  token: string,
  currentDate: Date,
): Promise<VerifiedToken> => {
  const named = ({ kid }: JWTHeaderParameters): KeyObject => {
    if (kid !== key.id) throw new errors.JWKSNoMatchingKey()
    return key.verify
  }
  const { payload } = await jwtVerify(token, named, {
    issuer: names.issuer,
    audience: [names.audience, ofPages(names.audience)],
    algorithms: [key.algorithm],
    typ: tokenType,
    currentDate,
    requiredClaims: ['exp', 'iat', 'sub'],
  })
  return fromTokenPayload(payload, names.audience)
}

/**
 * Access tokens as signed JWTs: HS256 or EdDSA, depending on the key. Signature, algorithm, type, issuer, audience and expiry are
 * all checked, the expiry against the instant of the caller. Tokens of the `accepted` keys, which other servers sign with or
 * signed with before, are accepted too.
 */
export const joseAccessTokens = (
  key: SigningKey,
  names: Readonly<typeof defaultTokenNames> = defaultTokenNames,
  accepted: readonly VerificationKey[] = [],
): AccessTokens => {
  const keys: readonly VerificationKey[] = [key, ...accepted.filter(({ id }) => id !== key.id)]
  const verify = async (token: string, at: Date): Promise<VerifiedToken> => {
    if (!isCanonical(token)) return invalid
    for (const each of keys) {
      const outcome = await verifyWith(each, names, token, at).catch(outcomeOf)
      if (outcome._tag !== 'invalid') return outcome
    }
    return invalid
  }
  return portOf<AccessTokens>('accessTokens', {
    sign: (claims) =>
      new SignJWT({
        org: claims.organisation,
        scopes: claims.scopes,
        sid: claims.family,
      })
        .setProtectedHeader({ alg: key.algorithm, typ: tokenType, kid: key.id })
        .setIssuer(names.issuer)
        .setAudience(claims.use === 'pages' ? ofPages(names.audience) : names.audience)
        .setSubject(claims.apiKeyId)
        .setIssuedAt(seconds(millisecondsOf(claims.issuedAt)))
        .setExpirationTime(seconds(millisecondsOf(claims.expiresAt)))
        .sign(key.sign),
    verify: (token, at) => verify(token, new Date(millisecondsOf(at))),
  })
}
