import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

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
