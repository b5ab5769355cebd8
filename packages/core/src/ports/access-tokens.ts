import type { Instant } from '../values/instant.js'
import type { Scope } from './api-keys.js'
import type { PortResult } from './port-failure.js'

export type AccessTokenClaims = Readonly<{
  apiKeyId: string
  organisation: string
  scopes: readonly Scope[]
  /** The family of refresh tokens that it was given with, by its hash. */
  family: string
  issuedAt: Instant
  expiresAt: Instant
}>

export type VerifiedToken =
  | Readonly<{ _tag: 'verified'; claims: AccessTokenClaims }>
  | Readonly<{ _tag: 'expired' }>
  | Readonly<{ _tag: 'invalid' }>

/** Makes and checks access tokens. Times are kept to the second. */
export interface AccessTokens {
  sign(claims: AccessTokenClaims): PortResult<string>
  /** A token that was not made by this signer, for this service, or was changed is `invalid`. */
  verify(token: string, at: Instant): PortResult<VerifiedToken>
}
