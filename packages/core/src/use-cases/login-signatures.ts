import type { AccessTokenClaims } from '../ports/access-tokens.js'
import type { Instant } from '../values/instant.js'

export type Tokens = Readonly<{
  token: string
  expiresAt: Instant
  refreshToken: string
  refreshExpiresAt: Instant
}>

export type Credentials = Readonly<{ apiKey: string } | { refreshToken: string }>

/** `requestId`: the request that asks, for the record. */
export type ObtainTokenRequest = Readonly<{
  credentials: Credentials
  address: string
  requestId?: string | undefined
}>

/** Whom a token stands for; `keyName`: what people call its key. */
export type Authenticated = AccessTokenClaims & Readonly<{ keyName?: string | undefined }>
