import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { instantOf, type RateLimits } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, whenClosed } from '../context.js'
import { ByteBudget, type WorkBudgets } from './work-budgets.js'

/** So many requests of a key in each window of so many seconds. */
export type RateLimit = Readonly<{ requests: number; seconds: number }>

/** The remaining requests of a key. */
export type RateState = Readonly<{
  isOver: boolean
  /** Requests that are left in this window, as far as this process knows. */
  remaining: number
  /** Seconds until the next window begins, from 1. */
  resetSeconds: number
}>

type Window = {
  readonly beginsAt: number
  readonly endsAt: number
  /** The use by all servers when this one last asked. */
  used: number
  /** The requests that this process has taken for itself and not given to a request. */
  left: number
  waiting: number
  asking: Promise<void> | undefined
  /** Until then nobody asks a store that failed, and nobody is refused. */
  openUntil: number
}

/** So large a part of what is left is taken at once: few round trips, and little that lies unused at another server. */
const part = 16

const patienceMilliseconds = 1000

/** Windows of keys that ask no more are dropped when there are so many. */
const mostWindows = 10_000

/**
 * Counts the requests of each key in windows of time, all servers together. A process takes several requests at a time for
 * itself, the fewer the fewer are left, and gives them away from memory; all servers together never give more than
 * the limit. A store that cannot answer refuses nobody: a database that is away refuses requests by itself.
 */
export class KeyRate {
  private readonly store: Pick<RateLimits, 'use'>
  readonly limit: RateLimit
  private readonly windows = new Map<string, Window>()

  constructor(store: Pick<RateLimits, 'use'>, limit: RateLimit) {
    this.store = store
    this.limit = limit
  }

  /** Takes one request of the key. `now`: milliseconds since 1970. */
  async take(key: string, now: number): Promise<RateState> {
    const window = this.windowOf(key, now)
    while (window.left === 0 && this.mayAsk(window, now)) {
      window.waiting += 1
      window.asking ??= this.ask(key, window, now)
      await window.asking
      window.waiting -= 1
    }
    const isOver = window.left === 0 && now >= window.openUntil
    if (window.left > 0) window.left -= 1
    return {
      isOver,
      remaining: Math.max(0, this.limit.requests - window.used) + window.left,
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
    }
  }

  private mayAsk({ used, openUntil }: Window, now: number): boolean {
    return used < this.limit.requests && now >= openUntil
  }

  private windowOf(key: string, now: number): Window {
    const length = this.limit.seconds * 1000
    const beginsAt = Math.floor(now / length) * length
    const known = this.windows.get(key)
    // Time that runs backwards gives no second window.
    if (known !== undefined && known.beginsAt >= beginsAt) return known
    if (this.windows.size >= mostWindows) this.windows.clear()
    const times = { beginsAt, endsAt: beginsAt + length, openUntil: 0 }
    const window: Window = { ...times, used: 0, left: 0, waiting: 0, asking: undefined }
    this.windows.set(key, window)
    return window
  }

  private async ask(key: string, window: Window, now: number): Promise<void> {
    const { requests } = this.limit
    // Those that come at the same time are counted before the store is asked for them.
    await Promise.resolve()
    const rest = requests - window.used
    const amount = Math.min(rest, Math.max(1, window.waiting, Math.floor(rest / part)))
    const used = await this.store.use({
      subject: `requests:${key}`,
      beginsAt: instantOf(window.beginsAt),
      expiresAt: instantOf(window.endsAt),
      amount,
    })()
    window.asking = undefined
    if (used._tag === 'Left') {
      window.openUntil = now + patienceMilliseconds
      return
    }
    window.left += Math.max(0, Math.min(amount, requests - (used.right - amount)))
    window.used = Math.min(requests, used.right)
  }
}

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

const mib = 1_048_576

/** The limits of a key at one time and in a window of time. */
export class KeyLimits {
  readonly budgets: WorkBudgets = {
    reading: new ByteBudget({ key: 12 * mib, all: 48 * mib }),
    working: new ByteBudget({ key: 96 * mib, all: 240 * mib }),
  }
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
