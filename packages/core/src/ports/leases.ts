import type { Instant } from '../values/instant.js'
import type { PortResult } from './port-failure.js'

/** The right to do a job that all servers share, until it ends. */
export type Lease = Readonly<{
  /** Names the job, in 1 to 64 characters. */
  job: string
  /** The owner of the lease: `Secrets.generate`. */
  token: string
  at: Instant
  endsAt: Instant
}>

/** Lets one server at a time do what all of them would otherwise do twice. */
export interface Leases {
  /**
   * Takes the lease where nobody has it, where the last one has ended by `at`, or where it has this token already: then it ends at
   * `endsAt`. Says whether it was taken; of several at the same time exactly one gets true.
   */
  take(lease: Lease): PortResult<boolean>
}
