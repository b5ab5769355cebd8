import type { ServerResponse } from 'node:http'
import { whenClosed } from '../client-gone.js'

/** How many requests of each key are under way. */
export class InFlight {
  private readonly most: number
  private readonly counts = new Map<string, number>()

  constructor(most: number) {
    this.most = most
  }

  /** Counts a request until its answer has ended; false where its key has too many. */
  enter(key: string, response: ServerResponse): boolean {
    const count = this.counts.get(key) ?? 0
    if (count >= this.most) return false
    this.counts.set(key, count + 1)
    whenClosed(response, () => this.leave(key))
    return true
  }

  private leave(key: string): void {
    const left = (this.counts.get(key) ?? 0) - 1
    if (left > 0) this.counts.set(key, left)
    else this.counts.delete(key)
  }
}
