import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** Counts failed attempts to obtain a token, by subject (a client address or a key id). */
export interface FailedAttempts {
  /**
   * Counts a failure, and says how many there are now in the 60 seconds before `at`, this one included. Failures that
   * are recorded at the same time each get a different number.
   */
  record(subject: string, at: Instant): PortResult<number>
  /** How many were recorded for the subject in the 60 seconds before `at`. */
  recent(subject: string, at: Instant): PortResult<number>
}
