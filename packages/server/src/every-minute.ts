import { pause } from './emails/pause.js'

export type EveryMinute = Readonly<{
  /** Resolves when nothing goes on any more. */
  stop(): Promise<void>
}>

/**
 * Does something about every minute until it is stopped. Every process may: they begin at different moments. The signal is aborted when
 * it is to stop.
 */
export const everyMinute = (
  work: (signal: AbortSignal) => Promise<void>,
  everyMilliseconds = 60_000,
): EveryMinute => {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause(everyMilliseconds * (0.5 + Math.random()), signal)
      await work(signal)
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
