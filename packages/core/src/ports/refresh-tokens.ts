import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

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
