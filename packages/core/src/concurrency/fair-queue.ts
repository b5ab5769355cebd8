/** Whether an entry leaves the line: it does, it waits while other owners go on, or everybody behind it waits too. */
type Choice = 'take' | 'pass' | 'stop'

/** A queue in which owners take turns. Entries of one owner leave in the order in which they came. */
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

  /** Takes an entry out before its turn. */
  leave(owner: string, entry: Entry): void {
    const waiting = this.byOwner.get(owner)
    if (waiting?.delete(entry) !== true) return
    this.entries -= 1
    if (waiting.size === 0) this.byOwner.delete(owner)
  }

  /** Takes out the entry whose turn it is. Its owner's next turn comes after all other owners. */
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

/** More wait than may: the work is not begun. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too much of the same owner waits for its turn')
    this.name = 'TooManyWaiting'
  }
}

/**
 * Limits how many pieces of work run at the same time. The others wait in line: their owners take turns, and what one
 * owner has waiting goes in the order in which it came. So whoever asks for a lot waits for it alone.
 */
export type Slots = Readonly<{
  /** How many there are, 1 or more. */
  most: number
  /**
   * Runs the work as soon as a slot is free and it is the owner's turn. If the signal is aborted before, it rejects with
   * the signal's reason; where too much of the owner waits already, with `TooManyWaiting`. The work then never begins; work
   * that has begun keeps its slot until it has ended.
   */
  run<A>(owner: string, signal: AbortSignal, work: () => Promise<A>): Promise<A>
}>

/** `mostWaiting`: how much of one owner may wait; any number when absent. */
export const slots = (most: number, mostWaiting = Number.POSITIVE_INFINITY): Slots => {
  let free = most
  const line = new FairLine<() => void>()

  const taken = (owner: string, signal: AbortSignal): Promise<void> =>
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

  const givenBack = (): void => {
    const next = line.next()
    if (next === undefined) free++
    else next()
  }

  return {
    most,
    run: async (owner, signal, work) => {
      signal.throwIfAborted()
      await taken(owner, signal)
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        givenBack()
      }
    },
  }
}
