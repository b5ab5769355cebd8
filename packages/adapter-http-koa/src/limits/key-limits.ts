import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Authenticated } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, whenClosed } from '../context.js'
import type { Owner } from './body-pool.js'

/** The number of requests of a key in each window of `seconds`. */
export type RateLimit = Readonly<{ requests: number; seconds: number }>

/** The remaining requests of a key. */
type RateState = Readonly<{
  isOver: boolean
  /** Requests that are left in this window. */
  remaining: number
  /** Seconds until the next window begins, from 1. */
  resetSeconds: number
}>

/** Counts the requests of each key in windows of the clock. */
class KeyRate {
  readonly limit: RateLimit
  private endsAt = 0
  private readonly used = new Map<string, number>()

  constructor(limit: RateLimit) {
    this.limit = limit
  }

  /** Takes one request of the key, if the window has one left. */
  take(key: string): RateState {
    const [now, length] = [Date.now(), this.limit.seconds * 1000]
    // A clock that goes back opens no second window.
    if (now >= this.endsAt) {
      this.endsAt = (Math.floor(now / length) + 1) * length
      this.used.clear()
    }
    const before = this.used.get(key) ?? 0
    const isOver = before >= this.limit.requests
    const used = isOver ? before : before + 1
    this.used.set(key, used)
    const resetSeconds = Math.max(1, Math.ceil((this.endsAt - now) / 1000))
    return { isOver, remaining: this.limit.requests - used, resetSeconds }
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
  /** The requests of one key to this process in a window of time; absent: unlimited. */
  rate?: RateLimit
}>

const throttled = (retryAfterSeconds: number): Either<TransportRefusal, undefined> =>
  E.left({ _tag: 'Throttled', retryAfterSeconds })

/** The limits of keys and their organisations: concurrent requests of both, and requests of a key in a window of time. */
export class KeyLimits {
  private readonly requests: InFlight
  private readonly rate: KeyRate | undefined

  constructor({ maxInFlight = 512, rate }: KeyLimitsOptions = {}) {
    this.requests = new InFlight(maxInFlight)
    this.rate = rate && new KeyRate(rate)
  }

  /** Admits or refuses a request of the key; with a rate, sets the headers of draft-ietf-httpapi-ratelimit-headers. */
  admit(
    ctx: AppContext,
    { organisation, apiKeyId: key }: Pick<Authenticated, 'organisation' | 'apiKeyId'>,
  ): Either<TransportRefusal, undefined> {
    if (!this.requests.enter({ organisation, key }, ctx.res)) return throttled(1)
    if (this.rate === undefined) return E.right(undefined)
    const { isOver, remaining, resetSeconds } = this.rate.take(key)
    const { requests, seconds } = this.rate.limit
    ctx.set('RateLimit-Policy', `"key";q=${requests};w=${seconds}`)
    ctx.set('RateLimit', `"key";r=${remaining};t=${resetSeconds}`)
    return isOver ? throttled(resetSeconds) : E.right(undefined)
  }

  /** Takes one request of the key, such as a login, and returns the seconds until it is allowed; 0 if it is allowed now. */
  secondsToWait(key: string): number {
    const state = this.rate?.take(key)
    return state?.isOver === true ? state.resetSeconds : 0
  }

  /**
   * A function that waits until the rate of the key allows `many` more items, such as lines, each counted as a request. It
   * rejects when the signal aborts. Undefined without a rate.
   */
  pace(key: string, gone: () => AbortSignal): ((many: number) => Promise<void>) | undefined {
    if (this.rate === undefined) return undefined
    return async (many) => {
      for (let left = many; left > 0;) {
        const seconds = this.secondsToWait(key)
        if (seconds > 0) await pause(seconds, gone())
        else left -= 1
      }
    }
  }
}
