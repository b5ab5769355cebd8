import * as t from 'io-ts'
import { instantOf, scopes, type Scope, type VerifiedToken } from '@account-import/core'

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
  iat: t.Int,
  exp: t.Int,
})

/** The claims of a token whose signature was checked; one that lacks a claim or has a strange one is `invalid`. */
export const fromTokenPayload = (payload: unknown): VerifiedToken => {
  const decoded = tokenPayload.decode(payload)
  if (decoded._tag === 'Left') return { _tag: 'invalid' }
  const { sub, org, scopes: granted, sid, iat, exp } = decoded.right
  return {
    _tag: 'verified',
    claims: {
      apiKeyId: sub,
      organisation: org,
      scopes: granted,
      family: sid,
      issuedAt: instantOf(iat * 1000),
      expiresAt: instantOf(exp * 1000),
    },
  }
}
