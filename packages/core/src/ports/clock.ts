import type { Instant } from '../values/instant.js'

/** The only source of time below the composition root. */
export interface Clock {
  /** The current instant. It should never go back within a process: an expiry would be prolonged. */
  now(): Instant
}
