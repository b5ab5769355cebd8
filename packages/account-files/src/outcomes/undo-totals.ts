/** An account that an undo keeps, and the reason. */
export type KeptAccount = Readonly<{ number: string; reason: string }>

/** The most kept accounts that are named. */
const mostNamed = 20

/** The accounts of an undo, or of its preview, added page by page. */
export class UndoTotals {
  accounts = 0
  withAdditions = 0
  /** The kept accounts by their reasons. */
  readonly kept = new Map<string, number>()
  /** The first kept accounts. */
  readonly named: KeptAccount[] = []

  get keptCount(): number {
    return [...this.kept.values()].reduce((all, count) => all + count, 0)
  }

  add(accounts: readonly Readonly<{ additions: number }>[], kept: readonly KeptAccount[]): void {
    this.accounts += accounts.length
    this.withAdditions += accounts.filter(({ additions }) => additions > 0).length
    for (const { reason } of kept) this.keep(reason, 1)
    this.named.push(...kept.slice(0, mostNamed - this.named.length))
  }

  /** Adds kept accounts that are not named. */
  keep(reason: string, count: number): void {
    this.kept.set(reason, (this.kept.get(reason) ?? 0) + count)
  }
}
