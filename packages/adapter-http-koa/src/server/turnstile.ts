import { monitorEventLoopDelay } from 'node:perf_hooks'
import { LoopSlice } from '../limits/loop-slice.js'

export type TurnstileOptions = Readonly<{
  /** For so long work is begun in one turn of the event loop; 5 ms by default. */
  sliceMilliseconds?: number
  /** How many may wait for their turn; 512 by default. */
  mostWaiting?: number
  /** When work waits and the event loop is later than this on average, nothing new is taken; 1000 ms by default. */
  lateMilliseconds?: number
}>

/** The event loop accepts one connection a turn: for a moment after each, turns are short, so that others behind it are accepted. */
const accepting = { milliseconds: 20, sliceMilliseconds: 0.5 }

/** How often the delay of the event loop is looked at, and how finely it is measured, milliseconds. */
const sampling = { every: 500, resolution: 20 }

/** Requests wait in one line, as nobody knows whose they are before they have begun. */
const owner = ''

/**
 * Admission queue of requests: a bounded part of each turn of the event loop begins them, the others wait in a bounded line. A
 * request that need not wait costs a look at the clock.
 */
export class Turnstile {
  private readonly slice: LoopSlice
  private readonly mostWaiting: number
  private readonly late: number
  private readonly delay = monitorEventLoopDelay({ resolution: sampling.resolution })
  private sampler: NodeJS.Timeout | undefined
  private acceptedAt = Number.NEGATIVE_INFINITY
  private hasWaited = false
  private isLate = false

  constructor({ sliceMilliseconds = 5, mostWaiting = 512, lateMilliseconds = 1000 }: TurnstileOptions = {}) {
    const shorter = Math.min(accepting.sliceMilliseconds, sliceMilliseconds)
    this.slice = new LoopSlice(() =>
      performance.now() - this.acceptedAt < accepting.milliseconds ? shorter : sliceMilliseconds,
    )
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
    if (this.slice.mayBegin()) work()
    else if (this.slice.waiting >= this.mostWaiting) return false
    else {
      this.slice.queue(owner, work)
      this.hasWaited = true
    }
    return true
  }

  /** To be called for each connection that comes. */
  accepted(): void {
    this.acceptedAt = performance.now()
  }

  /** Work that is wanted no more leaves the line. */
  leave(work: () => void): void {
    this.slice.leave(owner, work)
  }

  close(): void {
    clearInterval(this.sampler)
    this.sampler = undefined
    this.delay.disable()
  }

  private sample(): void {
    const { mean } = this.delay
    this.delay.reset()
    // Without a sample it is not a number. The measure is the time between two looks.
    this.isLate = this.hasWaited && mean / 1e6 - sampling.resolution > this.late
    this.hasWaited = this.slice.waiting > 0
  }
}
