import { FairLine } from '@account-import/core/adapter-kit'

/** Time between two looks of the event loop at its sockets that work may take together, milliseconds. */
const sliceMilliseconds = 5

/** More than can be begun in a slice, few enough to be asked for in vain. */
const mostInTurn = 64

/**
 * Bounds the time that work takes in each turn of the event loop, so that sockets are served in between, health checks above
 * all. Work that finds the slice used up waits for a later turn; owners take turns.
 */
export class LoopSlice {
  private readonly line = new FairLine<() => void>()
  private readonly milliseconds: () => number
  /** When the first work of this turn was begun; undefined before. */
  private since: number | undefined

  constructor(milliseconds: () => number = () => sliceMilliseconds) {
    this.milliseconds = milliseconds
  }

  /** How much work waits. */
  get waiting(): number {
    return this.line.size
  }

  /** Whether work may begin now. It then counts as begun. */
  mayBegin(): boolean {
    return this.line.size === 0 && this.hasTime()
  }

  /** Begins the work in a later turn. */
  queue(owner: string, work: () => void): void {
    this.line.join(owner, work)
    // Sees to it that a later turn comes.
    this.hasTime()
  }

  /** Work that is wanted no more leaves the line. */
  leave(owner: string, work: () => void): void {
    this.line.leave(owner, work)
  }

  /** Resolves in a later turn. */
  later(owner: string): Promise<void> {
    return new Promise((resolve) => this.queue(owner, resolve))
  }

  /** The first work of a turn always has time, however short the slice is. */
  private hasTime(): boolean {
    if (this.since !== undefined) return performance.now() - this.since < this.milliseconds()
    this.since = performance.now()
    setImmediate(() => this.turn())
    return true
  }

  /** One `setImmediate` for each piece of work, so that the promises it leads to count towards the slice. */
  private turn(): void {
    this.since = undefined
    for (let left = Math.min(this.line.size, mostInTurn); left > 0; left -= 1) setImmediate(() => this.next())
  }

  private next(): void {
    if (this.line.size > 0 && this.hasTime()) this.line.next()?.()
  }
}

/** The slice for parsing and validating: the event loop is one for the whole process, and so is this. */
export const parsingSlice = new LoopSlice()
