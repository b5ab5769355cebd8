/** `take`: the entry leaves the queue. `pass`: it waits, and the next owner's entry is tried. `stop`: no entry leaves. */
type Choice = 'take' | 'pass' | 'stop'

/**
 * A fair queue: owners take turns, and so do the parts of an owner, such as the keys of an organisation. An owner with many parts
 * gets no more turns than one with a single part. Entries of one part leave in order of arrival.
 */
class FairLine<Entry> {
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
  /** Whether the owner, or this part of it, has all the slots that it may have. */
  hasShare(owner: string, part?: string): boolean
  /**
   * Runs the work as soon as a slot is free and it is the owner's turn. If the signal is aborted before, it rejects with
   * the signal's reason; if `mostWaiting` is reached, with `TooManyWaiting`. The work then never begins; work that has begun
   * keeps its slot until it has ended. `part`: the part of the owner (`FairLine`).
   */
  run<A>(owner: string, signal: AbortSignal, work: () => Promise<A>, part?: string): Promise<A>
}>

/** The slots in use by name. Holds no name without a slot. */
const counts = () => {
  const byName = new Map<string, number>()
  return {
    of: (name: string): number => byName.get(name) ?? 0,
    add: (name: string, change: 1 | -1): void => {
      const count = (byName.get(name) ?? 0) + change
      if (count > 0) byName.set(name, count)
      else byName.delete(name)
    },
  }
}

/**
 * `mostWaiting`: pieces of work of one owner that may wait; `owner`, `part`: slots that one owner, and one part of it, may have. Any
 * number when absent.
 */
export const slots = (
  most: number,
  mostWaiting = Number.POSITIVE_INFINITY,
  { owner: mostOfOwner = most, part: mostOfPart = most }: Readonly<{ owner?: number; part?: number }> = {},
): Slots => {
  type Place = Readonly<{ owner: string; part: string }>
  let free = most
  const [ofOwners, ofParts] = [counts(), counts()]
  const line = new FairLine<Place & Readonly<{ enter: () => void }>>()

  const nameOf = ({ owner, part }: Place): string => JSON.stringify([owner, part])
  const hasShare = (place: Place): boolean =>
    ofOwners.of(place.owner) >= mostOfOwner || ofParts.of(nameOf(place)) >= mostOfPart
  const isAllowed = (place: Place): boolean => free > 0 && !hasShare(place)
  const take = (place: Place): void => {
    free -= 1
    ofOwners.add(place.owner, 1)
    ofParts.add(nameOf(place), 1)
  }

  const acquire = (place: Place, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const { owner, part } = place
      if (isAllowed(place)) {
        take(place)
        return resolve()
      }
      const leave = (): void => {
        line.leave(owner, waiting, part)
        reject(signal.reason as Error)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiting = { ...place, enter }
      if (line.waitingOf(owner) >= mostWaiting) throw new TooManyWaiting()
      line.join(owner, waiting, part)
      signal.addEventListener('abort', leave, { once: true })
    })

  const release = (place: Place): void => {
    free += 1
    ofOwners.add(place.owner, -1)
    ofParts.add(nameOf(place), -1)
    const next = line.next((waiting) => (isAllowed(waiting) ? 'take' : 'pass'))
    if (next === undefined) return
    take(next)
    next.enter()
  }

  return {
    most,
    hasShare: (owner, part = '') => hasShare({ owner, part }),
    run: async (owner, signal, work, part = '') => {
      signal.throwIfAborted()
      const place = { owner, part }
      await acquire(place, signal)
      try {
        signal.throwIfAborted()
        return await work()
      } finally {
        release(place)
      }
    },
  }
}
