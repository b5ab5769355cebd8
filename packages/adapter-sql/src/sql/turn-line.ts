/**
 * A queue in which owners take turns: each next item of an owner has a later turn, and the first of another owner the turn of now.
 */
export class TurnLine<One extends Readonly<{ owner: string }>> {
  private line: Readonly<{ one: One; turn: number }>[] = []
  private readonly latest = new Map<string, number>()
  private now = 0

  get all(): readonly One[] {
    return this.line.map(({ one }) => one)
  }

  join(one: One): void {
    const turn = Math.max(this.now, (this.latest.get(one.owner) ?? -1) + 1)
    this.latest.set(one.owner, turn)
    this.line.splice(this.line.findLastIndex((each) => each.turn <= turn) + 1, 0, { one, turn })
  }

  /** Items whose call failed are the next. */
  joinFirst(items: readonly One[]): void {
    this.line.unshift(...items.map((one) => ({ one, turn: this.now })))
  }

  leave(items: readonly One[]): void {
    const leaving = new Set(items)
    this.now = this.line.find(({ one }) => leaving.has(one))?.turn ?? this.now
    this.line = this.line.filter(({ one }) => !leaving.has(one))
    if (this.line.length === 0) this.latest.clear()
  }
}
