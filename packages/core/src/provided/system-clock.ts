import type { Clock } from '../ports/clock.js'
import { instantOf } from '../values/instant.js'

/** The machine's own clock. */
export const systemClock: Clock = { now: () => instantOf(Date.now()) }
