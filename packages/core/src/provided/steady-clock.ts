import type { Clock } from '../ports/clock.js'
import { instantOf } from '../values/instant.js'

/**
 * A clock that never goes back: it follows `wall` (milliseconds since 1970) forward, and goes on by `elapsed` (milliseconds from
 * any moment on, never less than before) where `wall` is behind. So nothing that ends is prolonged by a clock that is put back,
 * and nothing stands still meanwhile.
 */
export const steadyClock = (wall: () => number, elapsed: () => number): Clock => {
  let [told, toldAt] = [-Infinity, 0]
  return {
    now: () => {
      const at = elapsed()
      told = Math.max(wall(), told + (at - toldAt))
      toldAt = at
      return instantOf(told)
    },
  }
}
