import type { Clock } from '../ports/clock.js'
import { steadyClock } from './steady-clock.js'

/** The machine's own clock; where that is put back, it goes on as if it had not been. */
export const systemClock: Clock = steadyClock(
  () => Date.now(),
  () => performance.now(),
)
