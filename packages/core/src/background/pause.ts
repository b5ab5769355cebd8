/** Waits for the time, or until the signal is aborted. Like a server that listens, it keeps the process alive. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    // oxlint-disable-next-line no-restricted-globals -- the one timer of the background work; it reads and writes nothing outside
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })

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
