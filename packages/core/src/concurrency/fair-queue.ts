/** `take`: the entry leaves the queue. `pass`: it waits, and the next owner's entry is tried. `stop`: no entry leaves. */
type Choice = 'take' | 'pass' | 'stop'

/** A fair queue: owners take turns, and entries of one owner leave in order of arrival. */
export class FairLine<Entry> {
  private readonly byOwner = new Map<string, Set<Entry>>()
  private entries = 0

  get size(): number {
    return this.entries
  }

  waitingOf(owner: string): number {
    return this.byOwner.get(owner)?.size ?? 0
  }

  join(owner: string, entry: Entry): void {
    const waiting = this.byOwner.get(owner) ?? new Set()
    this.byOwner.set(owner, waiting.add(entry))
    this.entries += 1
  }

  /** Removes an entry before its turn. */
  leave(owner: string, entry: Entry): void {
    const waiting = this.byOwner.get(owner)
    if (waiting?.delete(entry) !== true) return
    this.entries -= 1
    if (waiting.size === 0) this.byOwner.delete(owner)
  }

  /** Removes and returns the entry whose turn it is. Its owner's next turn is after all other owners. */
  next(choose: (entry: Entry) => Choice = () => 'take'): Entry | undefined {
    for (const [owner, waiting] of this.byOwner) {
      const [entry] = waiting
      if (entry === undefined) continue
      const choice = choose(entry)
      if (choice === 'stop') return undefined
      if (choice === 'pass') continue
      this.leave(owner, entry)
      if (this.byOwner.delete(owner)) this.byOwner.set(owner, waiting)
      return entry
    }
    return undefined
  }
}

/** The owner's limit of waiting work is reached: the work is not begun. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too much of the same owner waits for its turn')
    this.name = 'TooManyWaiting'
  }
}

/**
 * A semaphore with a fair queue. Owners take turns, and the work of one owner runs in order of arrival, so that an owner with
 * much work delays no other.
 */
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

/** `mostWaiting`: pieces of work of one owner that may wait; any number when absent. */
export const slots = (most: number, mostWaiting = Number.POSITIVE_INFINITY): Slots => {
  let free = most
  const line = new FairLine<() => void>()

  const acquire = (owner: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (free > 0) {
        free--
        return resolve()
      }
      const leave = (): void => {
        line.leave(owner, enter)
        reject(signal.reason as Error)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      if (line.waitingOf(owner) >= mostWaiting) throw new TooManyWaiting()
      line.join(owner, enter)
      signal.addEventListener('abort', leave, { once: true })
    })

  const release = (): void => {
    const next = line.next()
    if (next === undefined) free++
    else next()
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
        release()
      }
    },
  }
}
