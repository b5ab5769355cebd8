/** Values that are counted at a time. */
const kept = 16

/** Lines that are named for each. */
const lineLimit = 5

/** A value with the accounts that have it; `missed`: so many more may have it, from before it was counted. */
export type FrequentValue = Readonly<{ count: number; missed: number; lines: readonly number[] }>

/** No hash of 32 bits. */
const free = -1

/**
 * Counts how many accounts have each value, in memory that does not grow: the 16 most frequent ones are kept, and a new value takes
 * the place of the least frequent (the algorithm is called Space-Saving). The count of a value in more than half of the accounts is
 * exact, unless it begins late in the file: then it is too low by a sixteenth of the accounts at most.
 */
export class FrequentValues {
  /** Accounts with a value. */
  accounts = 0
  private readonly hashes = new Float64Array(kept).fill(free)
  /** The highest number of accounts that may have the value. */
  private readonly counts = new Float64Array(kept)
  private readonly missed = new Float64Array(kept)
  private readonly lines: number[][] = Array.from({ length: kept }, () => [])

  /** The hashes of the values of one account, each once; there is at least one. */
  add(hashes: Iterable<number>, line: number): void {
    this.accounts += 1
    for (const hash of hashes) {
      const known = this.hashes.indexOf(hash)
      const at = known < 0 ? this.placeFor(hash) : known
      this.counts[at] = (this.counts[at] ?? 0) + 1
      const lines = this.lines[at]
      if (lines !== undefined && lines.length < lineLimit) lines.push(line)
    }
  }

  /** The value that surely most accounts have; undefined while there is none. */
  most(): FrequentValue | undefined {
    const values = this.lines.map((lines, at) => {
      const missed = this.missed[at] ?? 0
      return { count: (this.counts[at] ?? 0) - missed, missed, lines }
    })
    return values.filter(({ count }) => count > 0).toSorted((left, right) => right.count - left.count)[0]
  }

  /** The place of the least frequent value, which is forgotten. */
  private placeFor(hash: number): number {
    let least = 0
    for (let at = 1; at < kept; at++) if ((this.counts[at] ?? 0) < (this.counts[least] ?? 0)) least = at
    this.hashes[least] = hash
    this.missed[least] = this.counts[least] ?? 0
    this.lines[least] = []
    return least
  }
}
