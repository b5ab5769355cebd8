import type { PortFailure, PortResult } from '@account-import/core'
import { pause } from './emails/pause.js'

/** How often, how many at a time (1 to 1000), and for how long to rest after each time. */
export type ForgettingPace = Readonly<{ everyMilliseconds: number; batch: number; restMilliseconds: number }>

const usualPace: ForgettingPace = { everyMilliseconds: 60_000, batch: 500, restMilliseconds: 50 }

export type Forgetting = Readonly<{
  /** Resolves when nothing goes on any more. */
  stop(): Promise<void>
}>

/**
 * Removes what has expired, such as kept answers, every minute, a bounded number at a time with a rest after each, until it is
 * stopped. Every process may do so; they begin at different moments. After a failure the next minute tries again.
 */
export const startForgetting = (
  forget: (limit: number) => PortResult<number>,
  onFailure: (failure: PortFailure) => void,
  { everyMilliseconds, batch, restMilliseconds } = usualPace,
): Forgetting => {
  const stopping = new AbortController()
  const { signal } = stopping
  const forgetAll = async (): Promise<void> => {
    while (!signal.aborted) {
      const forgotten = await forget(batch)()
      if (forgotten._tag === 'Left') return onFailure(forgotten.left)
      if (forgotten.right < batch) return
      await pause(restMilliseconds, signal)
    }
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause(everyMilliseconds * (0.5 + Math.random()), signal)
      await forgetAll()
    }
  }
  const ended = run()
  return {
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}
