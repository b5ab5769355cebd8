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
