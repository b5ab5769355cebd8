import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Authenticated, instantOf, type RateLimits } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, whenClosed } from '../context.js'
import type { Owner } from './body-pool.js'

/** The number of requests of a key in each window of `seconds`. */
export type RateLimit = Readonly<{ requests: number; seconds: number }>

/** The remaining requests of a key. */
export type RateState = Readonly<{
  isOver: boolean
  /** Requests that are left in this window, by the latest data of this process. */
  remaining: number
  /** Seconds until the next window begins, from 1. */
  resetSeconds: number
}>

type Window = {
  readonly beginsAt: number
  readonly endsAt: number
  /** Requests of all servers, at the latest reservation of this process. */
  used: number
  /** Requests that this process has reserved in the store and not admitted yet. */
  left: number
  waiting: number
  reserving: Promise<void> | undefined
  /** The time until which a store that failed is not called, and no request is refused. */
  openUntil: number
}

/** A process reserves a sixteenth of the rest at once: few round trips, and few requests unused at another server. */
const part = 16

const patienceMilliseconds = 1000

/** All windows are dropped at this number, as most belong to keys without further requests. */
const mostWindows = 10_000

/**
 * Counts the requests of each key in windows of time, for all servers together. A process reserves several requests at a time in
 * the store, fewer when fewer are left, and admits them from memory. All servers together never admit more than the limit. A
 * failure of the store refuses no request here: when the database is unavailable, requests fail anyway.
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
    while (window.left === 0 && this.mayReserve(window, now)) {
      window.waiting += 1
      window.reserving ??= this.reserve(key, window, now)
      await window.reserving
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

  private mayReserve({ used, openUntil }: Window, now: number): boolean {
    return used < this.limit.requests && now >= openUntil
  }

  private windowOf(key: string, now: number): Window {
    const length = this.limit.seconds * 1000
    const beginsAt = Math.floor(now / length) * length
    const current = this.windows.get(key)
    // A clock that goes back opens no second window.
    if (current !== undefined && current.beginsAt >= beginsAt) return current
    if (this.windows.size >= mostWindows) this.windows.clear()
    const times = { beginsAt, endsAt: beginsAt + length, openUntil: 0 }
    const window: Window = { ...times, used: 0, left: 0, waiting: 0, reserving: undefined }
    this.windows.set(key, window)
    return window
  }

  private async reserve(key: string, window: Window, now: number): Promise<void> {
    const { requests } = this.limit
    // Concurrent requests raise `waiting` before the amount is computed.
    await Promise.resolve()
    const rest = requests - window.used
    const amount = Math.min(rest, Math.max(1, window.waiting, Math.floor(rest / part)))
    const used = await this.store.use({
      subject: `requests:${key}`,
      beginsAt: instantOf(window.beginsAt),
      expiresAt: instantOf(window.endsAt),
      amount,
    })
    window.reserving = undefined
    if (used._tag === 'Left') {
      window.openUntil = now + patienceMilliseconds
      return
    }
    window.left += Math.max(0, Math.min(amount, requests - (used.right - amount)))
    window.used = Math.min(requests, used.right)
  }
}

/** An organisation may have as many concurrent requests as this number of keys that are at their limit. */
const keysAtLimit = 2

class InFlight {
  private readonly most: number
  private readonly ofKeys = new Map<string, number>()
  private readonly ofOrganisations = new Map<string, number>()

  constructor(most: number) {
    this.most = most
  }

  /** Counts a request until its response closes; false if its key or its organisation is at the limit. */
  enter({ organisation, key }: Owner, response: ServerResponse): boolean {
    const isAtLimit =
      (this.ofKeys.get(key) ?? 0) >= this.most ||
      (this.ofOrganisations.get(organisation) ?? 0) >= this.most * keysAtLimit
    if (isAtLimit) return false
    const count = (by: 1 | -1): void => {
      change(this.ofKeys, key, by)
      change(this.ofOrganisations, organisation, by)
    }
    count(1)
    whenClosed(response, () => count(-1))
    return true
  }
}

const change = (counts: Map<string, number>, name: string, by: number): void => {
  const count = (counts.get(name) ?? 0) + by
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}

/** Rejects with the reason of the signal when it aborts. */
const pause = async (seconds: number, signal: AbortSignal): Promise<void> => {
  try {
    await setTimeout(seconds * 1000, undefined, { signal })
  } catch {
    throw signal.reason
  }
}

export type KeyLimitsOptions = Readonly<{
  /** Concurrent requests of one key in this process, 512 by default; all keys of an organisation together have twice as many. */
  maxInFlight?: number
  /** The requests of one key in a window of time; absent: unlimited. */
  rate?: KeyRate
}>

const passed: Either<TransportRefusal, undefined> = E.right(undefined)

const throttled = (retryAfterSeconds: number): Either<TransportRefusal, undefined> =>
  E.left({ _tag: 'Throttled', retryAfterSeconds })

/** The limits of keys and their organisations: concurrent requests of both, and requests of a key in a window of time. */
export class KeyLimits {
  private readonly requests: InFlight
  private readonly rate: KeyRate | undefined

  constructor({ maxInFlight = 512, rate }: KeyLimitsOptions = {}) {
    this.requests = new InFlight(maxInFlight)
    this.rate = rate
  }

  /** Admits or refuses a request of the key. Returns a promise only if there is a rate. */
  admit(
    ctx: AppContext,
    { organisation, apiKeyId: key }: Pick<Authenticated, 'organisation' | 'apiKeyId'>,
  ): Either<TransportRefusal, undefined> | Promise<Either<TransportRefusal, undefined>> {
    if (!this.requests.enter({ organisation, key }, ctx.res)) return throttled(1)
    return this.rate === undefined ? passed : this.withinRate(ctx, key, this.rate)
  }

  /** Takes one request of the key, such as a login, and returns the seconds until it is allowed; 0 if it is allowed now. */
  async secondsToWait(key: string): Promise<number> {
    if (this.rate === undefined) return 0
    const { isOver, resetSeconds } = await this.rate.take(key, Date.now())
    return isOver ? resetSeconds : 0
  }

  /**
   * A function that waits until the rate of the key allows `many` more items, such as lines, each counted as a request. It
   * rejects when the signal aborts. Undefined without a rate.
   */
  pace(key: string, gone: () => AbortSignal): ((many: number) => Promise<void>) | undefined {
    if (this.rate === undefined) return undefined
    return async (many) => {
      for (let left = many; left > 0; left -= 1) await this.turn(key, gone())
    }
  }

  /** Resolves when the rate of the key allows one more item. Rejects when the signal aborts. */
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
    this.setHeaders(ctx, rate, state)
    return state.isOver ? throttled(state.resetSeconds) : passed
  }

  /** By draft-ietf-httpapi-ratelimit-headers. */
  private setHeaders(ctx: AppContext, { limit }: KeyRate, { remaining, resetSeconds }: RateState): void {
    ctx.set('RateLimit-Policy', `"key";q=${limit.requests};w=${limit.seconds}`)
    ctx.set('RateLimit', `"key";r=${remaining};t=${resetSeconds}`)
  }
}
