import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** The scope of a token (docs/reference/api.md#authentication). */
export const scopes = ['validate', 'stage', 'process', 'post-import', 'read', 'undo'] as const
export type Scope = (typeof scopes)[number]

/** The scopes of a key that was given none: everything but to take created accounts back. */
export const usualScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'undo')

/** An API key as it is kept: never the secret itself. */
export type ApiKeyRecord = Readonly<{
  id: string
  organisation: string
  /** The name of the key; undefined for one that was given no name. */
  name: string | undefined
  secretHash: string
  scopes: readonly Scope[]
  createdAt: Instant
  expiresAt: Instant | undefined
  revokedAt: Instant | undefined
  /** When it was used last, to about two minutes; undefined for one that was not used since uses are noted. */
  lastUsedAt: Instant | undefined
}>

/** A key together with what its organisation has to say. */
export type FoundApiKey = ApiKeyRecord & Readonly<{ isOrganisationDisabled: boolean }>

export interface ApiKeys {
  create(record: ApiKeyRecord): PortResult<'created' | 'organisation_does_not_exist'>
  find(id: string): PortResult<FoundApiKey | undefined>
  /** False when there is no such key. A key that is revoked already keeps its first time. */
  revoke(id: string, at: Instant): PortResult<boolean>
  /**
   * Ends a key at `endsAt`, unless it ends before, and creates the one that replaces it: both or neither. False, and nothing is
   * changed, when there is no such key of the replacement's organisation, or it is revoked.
   */
  rotate(id: string, replacement: ApiKeyRecord, endsAt: Instant): PortResult<boolean>
  /** Revokes every key of the organisation, and gives how many were not revoked before. */
  revokeAll(organisation: string, at: Instant): PortResult<number>
  /** Notes when a key was used, unless a use after `since` is noted already. The noted use never goes back in time. */
  noteUse(id: string, at: Instant, since: Instant): PortResult<void>
  /** All, in order of creation, then id. */
  list(): PortResult<readonly ApiKeyRecord[]>
}

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

/** Refresh tokens that follow each other from one use of an API key. Each is good for one use, and only the latest is good. */
export type RefreshTokenFamily = Readonly<{
  /** The hash of the part that all its tokens share. */
  hash: string
  apiKeyId: string
  /** The hash of the part that only the latest token has. */
  secretHash: string
  /** When the latest token ends, at `endsAt` or before. */
  expiresAt: Instant
  /** When the family ends, however often its tokens are used. */
  endsAt: Instant
}>

/** The changes of a family by a further token. */
export type NextRefreshToken = Pick<RefreshTokenFamily, 'secretHash' | 'expiresAt'>

export interface RefreshTokens {
  /**
   * Begins a family. Only the `mostOthers` (1 to 1000) other families of its key that end last stay; a few more may stay
   * for a while where several begin at the same time. A few whose latest token ended before `at` may be removed along the way:
   * most clients never use theirs.
   */
  begin(family: RefreshTokenFamily, at: Instant, mostOthers: number): PortResult<void>
  find(hash: string): PortResult<RefreshTokenFamily | undefined>
  /**
   * Puts the next token in the place of the latest, if that is still the one of `secretHash`, and says whether it was: of several
   * uses of one token at the same time exactly one gets `true`.
   */
  follow(hash: string, secretHash: string, next: NextRefreshToken): PortResult<boolean>
  /**
   * Ends the family: no token of it is good any more. That it was ended is known until `until`, for access tokens that were
   * given with it. One that has ended already is no failure.
   */
  end(hash: string, until: Instant): PortResult<void>
  /** Whether the family was ended: not one that is unknown, came to its end by itself, or gave way to others. */
  hasEnded(hash: string): PortResult<boolean>
}

/**
 * Counts failed attempts to obtain a token, by subject: a text of 1 to 200 characters that names a network, or a network and a
 * key. Where several servers share a store they share the count.
 */
export interface FailedAttempts {
  /**
   * Counts a failure, and says how many there are now in the minute before `at`, this one included. Failures that
   * are recorded at the same time each get a different number.
   */
  record(subject: string, at: Instant): PortResult<number>
  /** How many were recorded for the subject in the minute before `at`. A failure is forgotten after 50 to 60 seconds. */
  recent(subject: string, at: Instant): PortResult<number>
}
