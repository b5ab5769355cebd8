import type { PortFailure, PortResult } from '@account-import/core'
import { pause } from './emails/pause.js'
import { everyMinute, type EveryMinute } from './every-minute.js'

/** How often, how many at a time (1 to 1000), and for how long to rest after each time. */
export type ForgettingPace = Readonly<{ everyMilliseconds: number; batch: number; restMilliseconds: number }>

const usualPace: ForgettingPace = { everyMilliseconds: 60_000, batch: 500, restMilliseconds: 50 }

/**
 * Removes what has expired, such as kept answers, every minute, a bounded number at a time with a rest after each, until it is
 * stopped. Every process may do so; they begin at different moments. After a failure the next minute tries again.
 */
export const startForgetting = (
  forget: (limit: number) => PortResult<number>,
  onFailure: (failure: PortFailure) => void,
  { everyMilliseconds, batch, restMilliseconds } = usualPace,
): EveryMinute => {
  const forgetAll = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const forgotten = await forget(batch)()
      if (forgotten._tag === 'Left') return onFailure(forgotten.left)
      if (forgotten.right < batch) return
      await pause(restMilliseconds, signal)
    }
  }
  return everyMinute(forgetAll, everyMilliseconds)
}
