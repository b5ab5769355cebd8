import type { Instant } from '../values/instant.js'

/** The only source of time below the composition root. */
export interface Clock {
  /** The current instant. Of one process it should never go back: what ends would live on. */
  now(): Instant
}
