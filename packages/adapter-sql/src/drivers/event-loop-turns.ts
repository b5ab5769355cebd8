import { setImmediate } from 'node:timers/promises'

const longestStretchMilliseconds = 8
let turnedAt = performance.now()

/**
 * Lets the event loop turn now and then. A driver that works synchronously resolves without ever leaving the
 * microtask queue, so that a long run of statements would starve everything else in the process.
 */
export const letEventLoopTurn = async (): Promise<void> => {
  if (performance.now() - turnedAt < longestStretchMilliseconds) return
  await setImmediate()
  turnedAt = performance.now()
}
