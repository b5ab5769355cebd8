/** Whether an entry leaves the line: it does, it waits while other owners go on, or everybody behind it waits too. */
export type Choice = 'take' | 'pass' | 'stop'

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
