import { millisecondsOf, type Clock } from '@account-import/core'
import type { VendorFailure } from './vendor-failure.js'

/** Fewer failed calls than this say nothing about a vendor, however much time they cover. */
const fewestFailures = 5

/** What the calls to one vendor have shown about whether it can be reached. */
export type Reach = Readonly<{
  succeeded(): void
  failed(failure: VendorFailure): void
  /** Whether the trouble is persistent, so that trying again soon is of no use. */
  isLost(): boolean
}>

/**
 * A vendor is out of reach persistently when its last failure lasts by its kind, or no call has succeeded for
 * `persistentSeconds` (counted from the last success, or the first call if there was none) and at least 5 have failed
 * since. Kept in this process alone.
 */
export const createReach = (clock: Clock, persistentSeconds: number): Reach => {
  const now = (): number => millisecondsOf(clock.now())
  let lastSuccess: number | undefined
  let failures = 0
  let lasts = false
  return {
    succeeded: () => {
      lastSuccess = now()
      failures = 0
      lasts = false
    },
    failed: (failure) => {
      lastSuccess ??= now()
      failures += 1
      lasts = failure.isLasting
    },
    isLost: () =>
      lasts ||
      (failures >= fewestFailures &&
        lastSuccess !== undefined &&
        now() - lastSuccess >= persistentSeconds * 1000),
  }
}
