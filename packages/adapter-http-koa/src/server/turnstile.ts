import { monitorEventLoopDelay } from 'node:perf_hooks'

export type TurnstileOptions = Readonly<{
  /** For so long work is begun in one turn of the event loop; 5 ms by default. */
  sliceMilliseconds?: number
  /** How many may wait for their turn; 512 by default. */
  mostWaiting?: number
  /** When work waits and the event loop is later than this on average, nothing new is taken; 1000 ms by default. */
  lateMilliseconds?: number
}>

/** More than can be begun in a slice, few enough to be asked for in vain. */
const mostInTurn = 64

/** The event loop accepts one connection a turn: for a moment after each, turns are short, so that others behind it are accepted. */
const accepting = { milliseconds: 20, sliceMilliseconds: 0.5 }

/** How often the delay of the event loop is looked at, and how finely it is measured, milliseconds. */
const sampling = { every: 500, resolution: 20 }

/**
 * Where work waits for its turn: what comes while much is begun already waits in a bounded line, so that between two pieces
 * of work the event loop serves whatever else there is, health checks above all. Costs work that need not wait a look at
 * the clock.
 */
export class Turnstile {
  private readonly line = new Set<() => void>()
  private readonly slice: number
  private readonly mostWaiting: number
  private readonly late: number
  private readonly delay = monitorEventLoopDelay({ resolution: sampling.resolution })
  private sampler: NodeJS.Timeout | undefined
  /** When the first work of this turn was begun; undefined before. */
  private since: number | undefined
  private acceptedAt = Number.NEGATIVE_INFINITY
  private hasWaited = false
  private isLate = false

  constructor({ sliceMilliseconds = 5, mostWaiting = 512, lateMilliseconds = 1000 }: TurnstileOptions = {}) {
    this.slice = sliceMilliseconds
    this.mostWaiting = mostWaiting
    this.late = lateMilliseconds
  }

  /** From now on the delay of the event loop is looked at. */
  open(): void {
    this.delay.enable()
    this.sampler ??= setInterval(() => this.sample(), sampling.every).unref()
  }

  /** Begins the work, now or in its turn; false where it may not even wait. */
  enter(work: () => void): boolean {
    if (this.isLate) return false
    if (this.line.size === 0 && this.mayBegin()) work()
    else if (this.line.size >= this.mostWaiting) return false
    else this.wait(work)
    return true
  }

  /** To be called for each connection that comes. */
  accepted(): void {
    this.acceptedAt = performance.now()
  }

  /** Work that is wanted no more leaves the line. */
  leave(work: () => void): void {
    this.line.delete(work)
  }

  close(): void {
    clearInterval(this.sampler)
    this.sampler = undefined
    this.delay.disable()
  }

  private wait(work: () => void): void {
    this.line.add(work)
    this.hasWaited = true
  }

  private mayBegin(): boolean {
    if (this.since === undefined) {
      this.since = performance.now()
      setImmediate(() => this.turn())
      return true
    }
    const now = performance.now()
    const isAccepting = now - this.acceptedAt < accepting.milliseconds
    return now - this.since < (isAccepting ? Math.min(accepting.sliceMilliseconds, this.slice) : this.slice)
  }

  /** Each piece by an immediate of its own: what it leaves to promises is done before the next one looks at the clock. */
  private turn(): void {
    this.since = undefined
    for (let i = Math.min(this.line.size, mostInTurn); i > 0; i -= 1) setImmediate(() => this.next())
  }

  private next(): void {
    const [work] = this.line
    if (work === undefined || !this.mayBegin()) return
    this.line.delete(work)
    work()
  }

  private sample(): void {
    const { mean } = this.delay
    this.delay.reset()
    // Without a sample it is not a number. What is measured is the time between two looks.
    this.isLate = this.hasWaited && mean / 1e6 - sampling.resolution > this.late
    this.hasWaited = this.line.size > 0
  }
}
