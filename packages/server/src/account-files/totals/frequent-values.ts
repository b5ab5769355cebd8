/** Values that are counted at a time. */
const kept = 16

/** Lines that are named for each. */
const lineLimit = 5

type Counter = { count: number; missed: number; readonly lines: number[] }

/** A value with the accounts that have it; `missed`: so many more may have it, from before it was counted. */
export type FrequentValue = Readonly<{ count: number; missed: number; lines: readonly number[] }>

/**
 * Counts how many accounts have each value, in memory that does not grow: the 16 most frequent ones are kept, and a new value takes
 * the place of the least frequent (the algorithm is called Space-Saving). The count of a value in more than half of the accounts is
 * exact, unless it begins late in the file: then it is too low by a sixteenth of the accounts at most.
 */
export class FrequentValues {
  /** Accounts with a value. */
  accounts = 0
  private readonly counters = new Map<number, Counter>()

  /** The hashes of the values of one account, each once; there is at least one. */
  add(hashes: Iterable<number>, line: number): void {
    this.accounts += 1
    for (const hash of hashes) {
      const counter = this.counters.get(hash) ?? this.counterFor(hash)
      counter.count += 1
      if (counter.lines.length < lineLimit) counter.lines.push(line)
    }
  }

  /** The value that surely most accounts have; undefined while there is none. */
  most(): FrequentValue | undefined {
    const counters = [...this.counters.values()].map(({ count, ...rest }) => ({
      ...rest,
      count: count - rest.missed,
    }))
    return counters.toSorted((left, right) => right.count - left.count)[0]
  }

  private counterFor(hash: number): Counter {
    const missed = this.counters.size < kept ? 0 : this.forgetLeast()
    const counter: Counter = { count: missed, missed, lines: [] }
    this.counters.set(hash, counter)
    return counter
  }

  private forgetLeast(): number {
    let [least, count] = [0, Number.POSITIVE_INFINITY]
    for (const [hash, counter] of this.counters)
      if (counter.count < count) [least, count] = [hash, counter.count]
    this.counters.delete(least)
    return count
  }
}
