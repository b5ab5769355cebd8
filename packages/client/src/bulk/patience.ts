import type { Failure } from '../result.js'
import { isPassing } from './passing.js'

const [firstSeconds, mostSeconds] = [0.5, 10]

/** Says how long to wait before another try, until nothing has gone on for so many seconds after a failure. */
export class Patience {
  private readonly seconds: number
  private tries = 0
  /** When the first failure came after which nothing has gone on. */
  private since: number | undefined

  constructor(seconds: number) {
    this.seconds = seconds
  }

  /** Something went on. */
  progressed(): void {
    this.tries = 0
    this.since = undefined
  }

  /** Seconds; `undefined` when it is not worth trying, or too late. As long as `Retry-After` says, at least. */
  wait(failure: Failure): number | undefined {
    if (!isPassing(failure)) return undefined
    const backOff = Math.min(mostSeconds, firstSeconds * 2 ** this.tries)
    this.tries += 1
    // Many callers that failed at the same moment should not come again at the same moment.
    const wait = (failure.retryAfterSeconds ?? 0) + backOff * (0.5 + Math.random() / 2)
    this.since ??= performance.now()
    const waited = (performance.now() - this.since) / 1000
    return waited + wait > this.seconds ? undefined : wait
  }
}
