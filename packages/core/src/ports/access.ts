import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** The scope of a token (docs/reference/api.md#authentication). */
export const scopes = ['validate', 'stage', 'process', 'post-import', 'read', 'undo'] as const
export type Scope = (typeof scopes)[number]

/** The scopes of a key that was created without any: all except `undo`. */
export const usualScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'undo')

/** A stored API key, with a hash of the secret, never the secret itself. */
export type ApiKeyRecord = Readonly<{
  id: string
  organisation: string
  /** The name of the key; undefined for a key without one. */
  name: string | undefined
  secretHash: string
  scopes: readonly Scope[]
  createdAt: Instant
  expiresAt: Instant | undefined
  revokedAt: Instant | undefined
  /** The latest use, to about two minutes; undefined for a key without a stored use. */
  lastUsedAt: Instant | undefined
}>

export interface ApiKeys {
  create(record: ApiKeyRecord): PortResult<'created' | 'organisation_does_not_exist'>
  find(id: string): PortResult<(ApiKeyRecord & Readonly<{ isOrganisationDisabled: boolean }>) | undefined>
  /** False when there is no such key. A key that is revoked already keeps its earlier time. */
  revoke(id: string, at: Instant): PortResult<boolean>
  /**
   * Ends a key at `endsAt`, unless it ends before, and creates its replacement, atomically. False, and nothing is changed, when
   * there is no such key of the replacement's organisation, or it is revoked.
   */
  rotate(id: string, replacement: ApiKeyRecord, endsAt: Instant): PortResult<boolean>
  /** Revokes every key of the organisation, and returns how many were not revoked before. */
  revokeAll(organisation: string, at: Instant): PortResult<number>
  /** Stores the latest use of a key, unless a use after `since` is stored already. The stored time never decreases. */
  noteUse(id: string, at: Instant, since: Instant): PortResult<void>
  /** All, in order of creation, then id. */
  list(): PortResult<readonly ApiKeyRecord[]>
}

/** `pages`: the token is for the pages of the console, and the API does not accept it as a token. */
export type TokenUse = 'pages'

export type AccessTokenClaims = Readonly<{
  /** Absent for the API. */
  use?: TokenUse | undefined
  apiKeyId: string
  organisation: string
  scopes: readonly Scope[]
  /** The hash of the family of refresh tokens that it was issued with. */
  family: string
  issuedAt: Instant
  expiresAt: Instant
}>

export type VerifiedToken =
  | Readonly<{ _tag: 'verified'; claims: AccessTokenClaims }>
  | Readonly<{ _tag: 'expired' }>
  | Readonly<{ _tag: 'invalid' }>

/** Makes and checks access tokens. Times are exact to the second. */
export interface AccessTokens {
  sign(claims: AccessTokenClaims): PortResult<string>
  /** A token of another signer or for another service, and a changed token, is `invalid`. */
  verify(token: string, at: Instant): PortResult<VerifiedToken>
}

/** The refresh tokens that follow each other from one use of an API key. Only the latest is valid, for one use. */
export type RefreshTokenFamily = Readonly<{
  /** The hash of the part that is the same in all its tokens. */
  hash: string
  apiKeyId: string
  /** The hash of the part that only the latest token has. */
  secretHash: string
  /** When the latest token ends, at `endsAt` or before. */
  expiresAt: Instant
  /** When the family ends, regardless of renewals. */
  endsAt: Instant
}>

export interface RefreshTokens {
  /**
   * Begins a family. Keeps only the `mostOthers` (1 to 1000) other families of its key that end last; concurrent calls may keep a
   * few more for a while. May remove a few families whose latest token ended before `at`: most clients never use theirs.
   */
  begin(family: RefreshTokenFamily, at: Instant, mostOthers: number): PortResult<void>
  find(hash: string): PortResult<RefreshTokenFamily | undefined>
  /**
   * Replaces the latest token by the next one if its hash is still `secretHash`, and returns whether it was: exactly one of
   * several concurrent uses of one token gets `true`.
   */
  follow(
    hash: string,
    secretHash: string,
    next: Pick<RefreshTokenFamily, 'secretHash' | 'expiresAt'>,
  ): PortResult<boolean>
  /**
   * Ends the family: its tokens are no longer valid. `hasEnded` returns true until `until`, for access tokens that were issued
   * with it. A family that has ended already is no failure.
   */
  end(hash: string, until: Instant): PortResult<void>
  /** Whether `end` ended the family; false for a family that is unknown, has expired or was removed by `begin`. */
  hasEnded(hash: string): PortResult<boolean>
}

/**
 * Counts failed attempts to obtain a token, by subject: a text of 1 to 200 characters that names a network, or a network and a
 * key. Servers with one store have one count.
 */
export interface FailedAttempts {
  /**
   * Counts a failure, and returns the number of failures in the minute before `at`, including this one. Concurrent failures each
   * get a different number.
   */
  record(subject: string, at: Instant): PortResult<number>
  /** The failures of the subject in the minute before `at`. A failure counts for 50 to 60 seconds. */
  recent(subject: string, at: Instant): PortResult<number>
}
