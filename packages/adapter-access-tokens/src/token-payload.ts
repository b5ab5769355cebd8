import * as t from 'io-ts'
import { instantOf, scopes, type Scope, type VerifiedToken } from '@account-import/core'

const isScope = (u: unknown): u is Scope => scopes.some((scope) => scope === u)

const scope = new t.Type<Scope, Scope, unknown>(
  'scope',
  isScope,
  (u, context) => (isScope(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

const tokenPayload = t.intersection([
  t.type({
    sub: t.string,
    org: t.string,
    scopes: t.readonlyArray(scope),
    iat: t.Int,
    exp: t.Int,
  }),
  // The session that it belongs to; tokens of a version before have none.
  t.partial({ sid: t.string }),
])

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
      ...(sid !== undefined && { family: sid }),
      issuedAt: instantOf(iat * 1000),
      expiresAt: instantOf(exp * 1000),
    },
  }
}
