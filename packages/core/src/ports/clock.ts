import type { Instant } from '../values/instant.js'

/** The only source of time below the composition root. */
export interface Clock {
  /** The current instant. Not guaranteed to be monotonic. */
  now(): Instant
}
