/** `take`: the entry leaves the queue. `pass`: it waits, and the next owner's entry is tried. `stop`: no entry leaves. */
type Choice = 'take' | 'pass' | 'stop'

/**
 * A fair queue: owners take turns, and so do the parts of an owner, such as the keys of an organisation. An owner with many parts
 * gets no more turns than one with a single part. Entries of one part leave in order of arrival.
 */
export class FairLine<Entry> {
  private readonly byOwner = new Map<string, Map<string, Set<Entry>>>()
  private entries = 0

  get size(): number {
    return this.entries
  }

  waitingOf(owner: string): number {
    let waiting = 0
    for (const { size } of this.byOwner.get(owner)?.values() ?? []) waiting += size
    return waiting
  }

  join(owner: string, entry: Entry, part = ''): void {
    const parts = this.byOwner.get(owner) ?? new Map<string, Set<Entry>>()
    this.byOwner.set(owner, parts)
    parts.set(part, (parts.get(part) ?? new Set()).add(entry))
    this.entries += 1
  }

  /** Removes an entry before its turn. */
  leave(owner: string, entry: Entry, part = ''): void {
    const parts = this.byOwner.get(owner)
    const waiting = parts?.get(part)
    if (waiting?.delete(entry) !== true) return
    this.entries -= 1
    if (waiting.size === 0) parts?.delete(part)
    if (parts?.size === 0) this.byOwner.delete(owner)
  }

  /** Removes and returns the entry whose turn it is. The next turn of its owner is after all other owners, and so of its part. */
  next(choose: (entry: Entry) => Choice = () => 'take'): Entry | undefined {
    for (const [owner, parts] of this.byOwner)
      for (const [part, [entry]] of parts) {
        if (entry === undefined) continue
        const choice = choose(entry)
        if (choice === 'stop') return undefined
        if (choice === 'pass') continue
        this.leave(owner, entry, part)
        toTheEnd(parts, part)
        toTheEnd(this.byOwner, owner)
        return entry
      }
    return undefined
  }
}

/** Moves a name that is still there behind all others. */
const toTheEnd = <A>(map: Map<string, A>, name: string): void => {
  const value = map.get(name)
  if (value !== undefined && map.delete(name)) map.set(name, value)
}

/** The owner's limit of waiting work is reached: the work is not begun. */
export class TooManyWaiting extends Error {
  constructor() {
    super('too much of the same owner waits for its turn')
    this.name = 'TooManyWaiting'
  }
}

/**
 * A semaphore with a fair queue (`FairLine`), so that an owner with much work delays no other.
 */
export type Slots = Readonly<{
  /** The number of slots, 1 or more. */
  most: number
  /**
   * Runs the work as soon as a slot is free and it is the owner's turn. If the signal is aborted before, it rejects with
   * the signal's reason; if `mostWaiting` is reached, with `TooManyWaiting`. The work then never begins; work that has begun
   * keeps its slot until it has ended. `part`: the part of the owner (`FairLine`).
   */
  run<A>(owner: string, signal: AbortSignal, work: () => Promise<A>, part?: string): Promise<A>
}>

/** `mostWaiting`: pieces of work of one owner that may wait; any number when absent. */
export const slots = (most: number, mostWaiting = Number.POSITIVE_INFINITY): Slots => {
  let free = most
  const line = new FairLine<() => void>()

  const acquire = (owner: string, signal: AbortSignal, part?: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (free > 0) {
        free--
        return resolve()
      }
      const leave = (): void => {
        line.leave(owner, enter, part)
        reject(signal.reason as Error)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      if (line.waitingOf(owner) >= mostWaiting) throw new TooManyWaiting()
      line.join(owner, enter, part)
      signal.addEventListener('abort', leave, { once: true })
    })

  const release = (): void => {
    const next = line.next()
    if (next === undefined) free++
    else next()
  }

  return {
    most,
    run: async (owner, signal, work, part) => {
      signal.throwIfAborted()
      await acquire(owner, signal, part)
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        release()
      }
    },
  }
}
