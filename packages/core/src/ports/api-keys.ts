import type { Scope } from '../domain/scope.js'
import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** An API key as it is kept: never the secret itself. */
export type ApiKeyRecord = Readonly<{
  id: string
  organisation: string
  /** What people call it; undefined for one that was given no name. */
  name: string | undefined
  secretHash: string
  scopes: readonly Scope[]
  createdAt: Instant
  expiresAt: Instant | undefined
  revokedAt: Instant | undefined
}>

export interface ApiKeys {
  create(record: ApiKeyRecord): PortResult<'created' | 'organisation_does_not_exist'>
  find(id: string): PortResult<ApiKeyRecord | undefined>
  /** False when there is no such key. A key that is revoked already keeps its first time. */
  revoke(id: string, at: Instant): PortResult<boolean>
  /** All, in order of creation, then id. */
  list(): PortResult<readonly ApiKeyRecord[]>
}
