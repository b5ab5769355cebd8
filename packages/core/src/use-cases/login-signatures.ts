import type { AccessTokenClaims } from '../ports/access-tokens.js'
import type { Instant } from '../values/instant.js'

export type Tokens = Readonly<{
  token: string
  expiresAt: Instant
  refreshToken: string
  refreshExpiresAt: Instant
}>

export type Credentials = Readonly<{ apiKey: string } | { refreshToken: string }>

/**
 * `requestId`: the request that asks, for the record. `secondsToWait`: asked with the id of the key once the credentials are known to be
 * right, before anything is recorded; more than 0 refuses, until then.
 */
export type ObtainTokenRequest = Readonly<{
  credentials: Credentials
  address: string
  requestId?: string | undefined
  secondsToWait?: ((apiKeyId: string) => Promise<number>) | undefined
}>

/** Whom a token stands for; `keyName`: what people call its key. */
export type Authenticated = AccessTokenClaims & Readonly<{ keyName?: string | undefined }>
