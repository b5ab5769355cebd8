import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { E, type Either } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, whenClosed } from '../context.js'
import type { KeyRate, RateState } from './key-rate.js'
import { createWorkBudgets, type WorkBudgets } from './work-budgets.js'

class InFlight {
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

/** Ends with the signal's reason when that is aborted. */
const pause = async (seconds: number, signal: AbortSignal): Promise<void> => {
  try {
    await setTimeout(seconds * 1000, undefined, { signal })
  } catch {
    throw signal.reason
  }
}

export type KeyLimitsOptions = Readonly<{
  /** Requests of one key that may be under way at one time in this process; 512 by default. */
  maxInFlight?: number
  /** How many it may send in a window of time; absent: as many as it likes. */
  rate?: KeyRate
}>

const passed: Either<TransportRefusal, undefined> = E.right(undefined)

const throttled = (retryAfterSeconds: number): Either<TransportRefusal, undefined> =>
  E.left({ _tag: 'Throttled', retryAfterSeconds })

/** The limits of a key at one time and in a window of time. */
export class KeyLimits {
  readonly budgets: WorkBudgets = createWorkBudgets()
  private readonly requests: InFlight
  private readonly rate: KeyRate | undefined

  constructor({ maxInFlight = 512, rate }: KeyLimitsOptions = {}) {
    this.requests = new InFlight(maxInFlight)
    this.rate = rate
  }

  /** Lets a request of the key pass, or refuses it; a promise only where requests are counted. */
  admit(
    ctx: AppContext,
    key: string,
  ): Either<TransportRefusal, undefined> | Promise<Either<TransportRefusal, undefined>> {
    if (!this.requests.enter(key, ctx.res)) return throttled(1)
    return this.rate === undefined ? passed : this.withinRate(ctx, key, this.rate)
  }

  /** Takes one request of the key, as for a login, and says for how many seconds it has to wait; 0 where it need not. */
  async secondsToWait(key: string): Promise<number> {
    if (this.rate === undefined) return 0
    const { isOver, resetSeconds } = await this.rate.take(key, Date.now())
    return isOver ? resetSeconds : 0
  }

  /**
   * Waits until the rate of the key lets so many things more be done, such as lines, each of which counts as a request; rejects when the
   * client has gone. Undefined without a rate.
   */
  pace(key: string, gone: () => AbortSignal): ((many: number) => Promise<void>) | undefined {
    if (this.rate === undefined) return undefined
    return async (many) => {
      for (let left = many; left > 0; left -= 1) await this.turn(key, gone())
    }
  }

  /** Resolves when the key may do one thing more. Rejects when the client has gone. */
  private async turn(key: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const seconds = await this.secondsToWait(key)
      if (seconds === 0) return
      await pause(seconds, signal)
    }
  }

  private async withinRate(
    ctx: AppContext,
    key: string,
    rate: KeyRate,
  ): Promise<Either<TransportRefusal, undefined>> {
    const state = await rate.take(key, Date.now())
    this.tell(ctx, rate, state)
    return state.isOver ? throttled(state.resetSeconds) : passed
  }

  /** By draft-ietf-httpapi-ratelimit-headers. */
  private tell(ctx: AppContext, { limit }: KeyRate, { remaining, resetSeconds }: RateState): void {
    ctx.set('RateLimit-Policy', `"key";q=${limit.requests};w=${limit.seconds}`)
    ctx.set('RateLimit', `"key";r=${remaining};t=${resetSeconds}`)
  }
}
