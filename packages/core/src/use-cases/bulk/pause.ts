import { withinTime } from '../../provided/within-time.js'

const firstMilliseconds = 50
const longestMilliseconds = 1000

/**
 * Waits before the next attempt, about twice as long each time up to a second, and never the same for two who wait. Ends
 * at once when the signal is aborted.
 */
export const pauseAfter = (attempts: number, signal: AbortSignal | undefined): Promise<void> =>
  withinTime(
    Math.min(longestMilliseconds, firstMilliseconds * 2 ** attempts) * (0.5 + Math.random()),
    () => new Promise<void>(() => undefined),
    () => undefined,
    signal,
  )
