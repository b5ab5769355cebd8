import { BulkheadRejectedError } from 'cockatiel'
import { slots } from '@account-import/core/adapter-kit'
import type { GuardLimits } from './guard-limits.js'

/** Lets so many tries run at one time; the others queue, and their organisations take turns. */
export type Queue = Readonly<{
  /**
   * Runs the try of a call that began at `since` (of `performance.now()`) once a slot is free. Rejects with a
   * `BulkheadRejectedError` when none has become free while there was time for a whole try, or when too many calls of the
   * organisation wait already.
   */
  run<A>(organisation: string, attempt: () => Promise<A>, since: number, call: AbortSignal): Promise<A>
}>

export const createQueue = (limits: GuardLimits): Queue => {
  const { concurrentTries, mostWaiting, callMilliseconds, tryMilliseconds } = limits
  const free = slots(concurrentTries, mostWaiting)
  return {
    run: async (organisation, attempt, since, call) => {
      const left = callMilliseconds - tryMilliseconds - (performance.now() - since)
      const noTime = AbortSignal.timeout(Math.max(0, Math.floor(left)))
      let hasBegun = false
      try {
        return await free.run(organisation, AbortSignal.any([call, noTime]), () => {
          hasBegun = true
          return attempt()
        })
      } catch (cause) {
        throw hasBegun ? cause : new BulkheadRejectedError(concurrentTries, 0)
      }
    },
  }
}
