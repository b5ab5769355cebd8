import { setTimeout } from 'node:timers/promises'

/** Waits for the time, or until the signal is aborted. */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  try {
    await setTimeout(milliseconds, undefined, { signal })
  } catch (cause) {
    if (!signal.aborted) throw cause
  }
}

/** Pauses that become twice as long with each in a row, between the two limits, and never the same for two servers. */
export type GrowingPause = Readonly<{ next(): number; reset(): void }>

export const growingPause = (least: number, most: number): GrowingPause => {
  let milliseconds = least
  return {
    next: () => {
      const now = milliseconds
      milliseconds = Math.min(most, milliseconds * 2)
      return now * (0.75 + Math.random() / 2)
    },
    reset: () => {
      milliseconds = least
    },
  }
}
