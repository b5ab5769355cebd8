/** One request, which may learn on its way that the service has too much to do. */
export type Request<A> = (slowDown: () => void) => Promise<A>

/**
 * Bounds the requests in flight: halved when the service has too much to do, one more after each request that went
 * through at once, never more than the given number, never less than one.
 */
export class AdaptiveLimit {
  private limit: number
  private running = 0
  private readonly waiting: (() => void)[] = []
  /** Counts the times that the limit was halved. */
  private halvings = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
    this.limit = most
  }

  /** Requests that may be in flight at present. */
  get current(): number {
    return Math.floor(this.limit)
  }

  async run<A>(request: Request<A>): Promise<A> {
    if (this.running >= this.current) await new Promise<void>((resolve) => this.waiting.push(resolve))
    else this.running += 1
    let known = this.halvings
    let clean = true
    try {
      return await request(() => {
        clean = false
        // Requests that were in flight together tell of the same moment.
        if (this.halvings === known) this.halve()
        known = this.halvings
      })
    } finally {
      if (clean) this.limit = Math.min(this.most, this.limit + 1)
      this.running -= 1
      this.startWaiting()
    }
  }

  private halve(): void {
    this.halvings += 1
    this.limit = Math.max(1, this.limit / 2)
  }

  private startWaiting(): void {
    while (this.running < this.current) {
      const start = this.waiting.shift()
      if (start === undefined) return
      this.running += 1
      start()
    }
  }
}
