import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Authenticated } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, whenClosed } from './context.js'

/** The organisation for which a request is made, and the key that makes it. */
export type Owner = Readonly<{ organisation: string; key: string }>

/** Sums by name. Holds no name whose sum is 0. */
class Counts {
  private readonly byName = new Map<string, number>()

  of(name: string): number {
    return this.byName.get(name) ?? 0
  }

  add(name: string, more: number): void {
    const sum = this.of(name) + more
    if (sum > 0) this.byName.set(name, sum)
    else this.byName.delete(name)
  }
}

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
  private readonly most: number
  private readonly ofKeys = new Counts()
  private readonly ofOrganisations = new Counts()
  private readonly rate: KeyRate | undefined

  constructor({ maxInFlight = 512, rate }: KeyLimitsOptions = {}) {
    this.most = maxInFlight
    this.rate = rate && new KeyRate(rate)
  }

  /** Admits or refuses a request of the key; with a rate, sets the headers of draft-ietf-httpapi-ratelimit-headers. */
  admit(
    ctx: AppContext,
    { organisation, apiKeyId: key }: Pick<Authenticated, 'organisation' | 'apiKeyId'>,
  ): Either<TransportRefusal, undefined> {
    if (!this.enter({ organisation, key }, ctx.res)) return throttled(1)
    if (this.rate === undefined) return E.right(undefined)
    const { isOver, remaining, resetSeconds } = this.rate.take(key)
    const { requests, seconds } = this.rate.limit
    ctx.set('RateLimit-Policy', `"key";q=${requests};w=${seconds}`)
    ctx.set('RateLimit', `"key";r=${remaining};t=${resetSeconds}`)
    return isOver ? throttled(resetSeconds) : E.right(undefined)
  }

  /** Counts a request until its response closes; false if its key or its organisation is at the limit. */
  private enter({ organisation, key }: Owner, response: ServerResponse): boolean {
    const isAtLimit =
      this.ofKeys.of(key) >= this.most || this.ofOrganisations.of(organisation) >= this.most * keysAtLimit
    if (isAtLimit) return false
    const count = (by: 1 | -1): void => {
      this.ofKeys.add(key, by)
      this.ofOrganisations.add(organisation, by)
    }
    count(1)
    whenClosed(response, () => count(-1))
    return true
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

/**
 * Bodies and lines of at least this size are long: room for them is taken before they arrive, or before they get longer than this
 * where their length is not known.
 */
export const longBodyBytes = 131_072

/** From this size a single body takes room; each line of a stream takes some, as a stream has many. */
export const countedBodyBytes = 16_384

/** Bytes of bodies and lines in a process. Parsed JSON takes up to 40 times the memory of its text. */
const poolBytes = 6_291_456

const shares = { organisation: poolBytes / 2, key: poolBytes / 4 }

/**
 * The bytes that a body or line counts: as many as it has, but the errors of a short line take as much memory as a parsed text of 4 KiB,
 * and the values of an account, which are limited, no more than one of 768 KiB.
 */
const counted = { least: 4096, most: 786_432 }

/** Time-out of a single body that waits for room. */
const patienceMilliseconds = 5000
const retryAfterSeconds = 2

/** Gives the room back. A second call does nothing. */
export type Release = () => void

type Waiting = Readonly<{ owner: Owner; bytes: number; enter: () => void }>

/**
 * The bytes of bodies and lines that a process holds at one time, which bound its memory. Room is given in the order of the requests: none
 * overtakes one that waits for room, so that a long body is not kept waiting by short ones. Organisations and keys have shares: a request
 * beyond a share waits, and only requests of the same organisation or key wait behind it.
 */
export class BodyPool {
  private free = poolBytes
  private readonly ofOrganisations = new Counts()
  private readonly ofKeys = new Counts()
  private readonly waiting = new Set<Waiting>()

  /** Waits for room for so many bytes, as long as the signal is not aborted; rejects with its reason. */
  take(owner: Owner, length: number, gone: AbortSignal): Promise<Release> {
    const bytes = Math.min(counted.most, Math.max(counted.least, length))
    return new Promise((resolve, reject) => {
      gone.throwIfAborted()
      const leave = (): void => {
        this.waiting.delete(waiting)
        reject(gone.reason as Error)
        this.admit()
      }
      const enter = (): void => {
        gone.removeEventListener('abort', leave)
        resolve(this.taken(owner, bytes))
      }
      const waiting = { owner, bytes, enter }
      this.waiting.add(waiting)
      gone.addEventListener('abort', leave, { once: true })
      this.admit()
    })
  }

  /** Waits for room for five seconds: then the key or its organisation has used its share, or there is no room. */
  async takeSoon(
    owner: Owner,
    length: number,
    gone: AbortSignal,
  ): Promise<Either<TransportRefusal, Release>> {
    const patience = AbortSignal.timeout(patienceMilliseconds)
    try {
      return E.right(await this.take(owner, length, AbortSignal.any([gone, patience])))
    } catch (cause) {
      if (gone.aborted) throw cause
      const hasShare = this.usedUpBy(owner, Math.min(counted.most, length)) === undefined
      return E.left({ _tag: hasShare ? 'ServiceBusy' : 'Throttled', retryAfterSeconds })
    }
  }

  /** Takes the bytes, and returns the function that gives them back. */
  private taken({ organisation, key }: Owner, bytes: number): Release {
    const add = (more: number): void => {
      this.free -= more
      this.ofOrganisations.add(organisation, more)
      this.ofKeys.add(key, more)
    }
    add(bytes)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      add(-bytes)
      this.admit()
    }
  }

  /** The kind of owner whose share has no room for the bytes. */
  private usedUpBy({ organisation, key }: Owner, bytes: number): keyof Owner | undefined {
    if (this.ofOrganisations.of(organisation) + bytes > shares.organisation) return 'organisation'
    return this.ofKeys.of(key) + bytes > shares.key ? 'key' : undefined
  }

  /** Admits those that wait, in their order, up to the first for which there is no room. */
  private admit(): void {
    const behind = { organisation: new Set<string>(), key: new Set<string>() }
    for (const waiting of this.waiting) {
      const { owner, bytes, enter } = waiting
      if (behind.organisation.has(owner.organisation) || behind.key.has(owner.key)) continue
      const usedUp = this.usedUpBy(owner, bytes)
      if (usedUp !== undefined) {
        behind[usedUp].add(owner[usedUp])
        continue
      }
      if (bytes > this.free) return
      this.waiting.delete(waiting)
      enter()
    }
  }
}
