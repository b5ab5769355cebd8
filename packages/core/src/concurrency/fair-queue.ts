/** The owner's limit of waiting work is reached: the work is not begun. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too much of the same owner waits for its turn')
    this.name = 'TooManyWaiting'
  }
}

/** A semaphore with a fair queue: owners take turns, and the work of one begins in order of arrival. */
export type Slots = Readonly<{
  /** The number of slots, 1 or more. */
  most: number
  /**
   * Runs the work as soon as a slot is free and it is the owner's turn. If the signal is aborted before, it rejects with
   * the signal's reason; if `mostWaiting` is reached, with `TooManyWaiting`. The work then never begins; work that has begun
   * keeps its slot until it has ended.
   */
  run<A>(owner: string, signal: AbortSignal, work: () => Promise<A>): Promise<A>
}>

/** `mostWaiting`: pieces of work of one owner that may wait; `mostOfOwner`: slots that it may have. */
export const slots = (
  most: number,
  mostWaiting = Number.POSITIVE_INFINITY,
  { owner: mostOfOwner = most }: Readonly<{ owner?: number }> = {},
): Slots => {
  const used = new Map<string, number>()
  let free = most
  /** Pieces of work that wait, by owner; the owner whose turn it is comes first. */
  const waiting = new Map<string, Set<() => void>>()

  const isAllowed = (owner: string): boolean => free > 0 && (used.get(owner) ?? 0) < mostOfOwner
  const take = (owner: string, slot: 1 | -1): void => {
    free -= slot
    const count = (used.get(owner) ?? 0) + slot
    if (count > 0) used.set(owner, count)
    else used.delete(owner)
  }
  /** Removes an entry. Its owner's next turn is after all others if `isServed`. */
  const leave = (owner: string, entry: () => void, isServed = false): void => {
    const entries = waiting.get(owner)
    if (entries === undefined || !entries.delete(entry)) return
    if (isServed || entries.size === 0) waiting.delete(owner)
    if (isServed && entries.size > 0) waiting.set(owner, entries)
  }
  const acquire = (owner: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isAllowed(owner)) {
        take(owner, 1)
        return resolve()
      }
      const entries = waiting.get(owner) ?? new Set()
      if (entries.size >= mostWaiting) throw new TooManyWaiting()
      const giveUp = (): void => {
        leave(owner, enter)
        reject(signal.reason as Error)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      waiting.set(owner, entries.add(enter))
      signal.addEventListener('abort', giveUp, { once: true })
    })
  const release = (owner: string): void => {
    take(owner, -1)
    for (const [next, [enter]] of waiting) {
      if (enter === undefined || !isAllowed(next)) continue
      leave(next, enter, true)
      take(next, 1)
      return enter()
    }
  }

  return {
    most,
    run: async (owner, signal, work) => {
      signal.throwIfAborted()
      await acquire(owner, signal)
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        release(owner)
      }
    },
  }
}
