import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** A refresh token as it is kept: its hash, the API key that it stands for, and its end. */
export type RefreshTokenRecord = Readonly<{ hash: string; apiKeyId: string; expiresAt: Instant }>

export interface RefreshTokens {
  /** A few tokens that ended before `at` may be removed along the way: most clients never use theirs. */
  save(record: RefreshTokenRecord, at: Instant): PortResult<void>
  find(hash: string): PortResult<RefreshTokenRecord | undefined>
  /**
   * Removes the token, and says whether it was there: of several uses at the same time exactly one gets `true`.
   * A few tokens that ended before `at` may be removed along the way.
   */
  consume(hash: string, at: Instant): PortResult<boolean>
}
