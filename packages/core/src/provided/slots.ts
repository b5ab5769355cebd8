/** Limits how many pieces of work run at the same time. The others wait in line, first come first served. */
export type Slots = Readonly<{
  /** How many there are, 1 or more. */
  most: number
  /**
   * Runs the work as soon as a slot is free. If the signal is aborted before, it rejects with the signal's reason and
   * the work never begins; work that has begun keeps its slot until it has ended.
   */
  run<A>(signal: AbortSignal, work: () => Promise<A>): Promise<A>
}>

export const slots = (most: number): Slots => {
  let free = most
  // In the order in which they came.
  const waiting = new Set<() => void>()

  const taken = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (free > 0) {
        free--
        return resolve()
      }
      const leave = (): void => {
        waiting.delete(enter)
        reject(signal.reason as Error)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })

  const givenBack = (): void => {
    const [next] = waiting
    if (next === undefined) free++
    else {
      waiting.delete(next)
      next()
    }
  }

  return {
    most,
    run: async (signal, work) => {
      signal.throwIfAborted()
      await taken(signal)
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        givenBack()
      }
    },
  }
}
