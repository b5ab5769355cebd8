import { E, type Either, FairLine } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, goneSignal } from '../context.js'

/** Time of all work in one turn of the event loop, milliseconds. */
const sliceMilliseconds = 5

/** Callbacks scheduled in one turn: more than a slice can run, and few enough that unused ones cost little. */
const mostInTurn = 64

/**
 * Bounds the time that work takes in each turn of the event loop, so that sockets are served in between, health checks above
 * all. After the end of the slice, work waits for a later turn, in a fair queue by owner.
 */
export class LoopSlice {
  private readonly line = new FairLine<() => void>()
  private readonly milliseconds: () => number
  /** When the first work of this turn was begun; undefined before. */
  private since: number | undefined

  constructor(milliseconds: () => number = () => sliceMilliseconds) {
    this.milliseconds = milliseconds
  }

  /** The number of waiting items. */
  get waiting(): number {
    return this.line.size
  }

  /** Whether work may begin now. It then counts as begun. */
  mayBegin(): boolean {
    return this.line.size === 0 && this.hasTime()
  }

  /** Begins the work in a later turn. */
  queue(owner: string, work: () => void): void {
    this.line.join(owner, work)
    // Schedules a later turn.
    this.hasTime()
  }

  /** Removes waiting work from the queue. */
  leave(owner: string, work: () => void): void {
    this.line.leave(owner, work)
  }

  /** Resolves in a later turn. */
  later(owner: string): Promise<void> {
    return new Promise((resolve) => this.queue(owner, resolve))
  }

  /** The first work of a turn always has time, even in a slice of 0 ms. */
  private hasTime(): boolean {
    if (this.since !== undefined) return performance.now() - this.since < this.milliseconds()
    this.since = performance.now()
    setImmediate(() => this.turn())
    return true
  }

  /** One `setImmediate` for each piece of work, so that the promises of the work count towards the slice. */
  private turn(): void {
    this.since = undefined
    for (let left = Math.min(this.line.size, mostInTurn); left > 0; left -= 1) setImmediate(() => this.next())
  }

  private next(): void {
    if (this.line.size > 0 && this.hasTime()) this.line.next()?.()
  }
}

/** The slice for parsing and validating. The process has one event loop, so it has one slice. */
export const parsingSlice = new LoopSlice()

/** Bytes that may be held at one time: by all keys of one organisation, and by all organisations together. */
type Budget = Readonly<{ organisation: number; all: number }>

/** The organisation for which a request is made, and the key that makes it. */
export type Owner = Readonly<{ organisation: string; key: string }>

/** Reserved bytes. */
export type Held = Readonly<{
  /** Releases the bytes above `bytes`. */
  shrinkTo(bytes: number): void
  /** Releases all bytes. A second call does nothing. */
  release(): void
}>

/** A reservation timed out: the organisation holds too much, or all together do. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
  readonly by: keyof Budget

  constructor(by: keyof Budget) {
    super('the budget of bytes stayed spent')
    this.by = by
  }
}

/**
 * Reserves bytes of memory for requests. A request waits while too few bytes are left, in a fair queue of organisations, in which
 * the keys of one take turns. An organisation that holds its whole share delays only its own requests, however many keys it has.
 * A request for more than the share of an organisation gets the whole share.
 */
export class ByteBudget {
  private readonly budget: Budget
  private readonly byOrganisation = new Map<string, number>()
  private readonly line = new FairLine<Readonly<{ organisation: string; bytes: number; enter: () => void }>>()
  private held = 0

  constructor(budget: Budget) {
    this.budget = budget
  }

  /**
   * Returns a promise only if the request has to wait. The promise rejects with `BudgetSpent` after `patienceMilliseconds`, and
   * with the reason of the signal, which is created only for a wait.
   */
  take(
    owner: Owner,
    wanted: number,
    patienceMilliseconds?: number,
    signal?: () => AbortSignal,
  ): Held | Promise<Held> {
    const bytes = Math.min(wanted, this.budget.organisation)
    return this.line.size === 0 && this.choiceOf(owner.organisation, bytes) === 'take'
      ? this.lend(owner.organisation, bytes)
      : this.wait(owner, bytes, patienceMilliseconds, signal?.())
  }

  private choiceOf(organisation: string, bytes: number): 'take' | 'pass' | 'stop' {
    if ((this.byOrganisation.get(organisation) ?? 0) + bytes > this.budget.organisation) return 'pass'
    return this.held + bytes > this.budget.all ? 'stop' : 'take'
  }

  private add(organisation: string, bytes: number): void {
    const left = (this.byOrganisation.get(organisation) ?? 0) + bytes
    if (left > 0) this.byOrganisation.set(organisation, left)
    else this.byOrganisation.delete(organisation)
    this.held += bytes
  }

  private lend(organisation: string, bytes: number): Held {
    this.add(organisation, bytes)
    let left = bytes
    const shrinkTo = (most: number): void => {
      if (most >= left) return
      this.add(organisation, most - left)
      left = most
      this.letIn()
    }
    return { shrinkTo, release: () => shrinkTo(0) }
  }

  private wait(
    { organisation, key }: Owner,
    bytes: number,
    patience: number | undefined,
    signal?: AbortSignal,
  ): Promise<Held> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const enter = (): void => {
        end()
        resolve(this.lend(organisation, bytes))
      }
      const waiting = { organisation, bytes, enter }
      const leave = (): void => {
        end()
        this.line.leave(organisation, waiting, key)
        const by = this.choiceOf(organisation, bytes) === 'pass' ? 'organisation' : 'all'
        reject(signal?.aborted === true ? (signal.reason as Error) : new BudgetSpent(by))
        // Requests behind this one may need fewer bytes.
        this.letIn()
      }
      const timer = patience === undefined ? undefined : setTimeout(leave, patience)
      this.line.join(organisation, waiting, key)
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted === true) leave()
      else this.letIn()
    })
  }

  private letIn(): void {
    for (;;) {
      const next = this.line.next(({ organisation, bytes }) => this.choiceOf(organisation, bytes))
      if (next === undefined) return
      next.enter()
    }
  }
}

/** Bodies of at least this size are parsed and validated in another thread, where there is one. */
export const longBodyBytes = 131_072

/** Memory of a parsed JSON text in multiples of its length, at worst: that of `[{},{},…]`. */
const parsedTimes = 40

/** Memory of a longer text in this thread in multiples of its length: its bytes, and the copies for the other thread. */
const carriedTimes = 8

/** Memory in bytes that processing a body of this length takes in this thread, at worst. */
export const memoryOf = (bytes: number): number =>
  Math.min(bytes, longBodyBytes) * parsedTimes + Math.max(0, bytes - longBodyBytes) * carriedTimes

/** Time-out of a body that waits for memory. */
const patienceMilliseconds = 5000

/**
 * Memory budgets for the bodies in a process. `reading`: bytes of long bodies and lines that are being received; `working`:
 * memory of those that are being processed. Every request reserves `reading` before `working`, so there is no deadlock.
 */
export type WorkBudgets = Readonly<{ reading: ByteBudget; working: ByteBudget }>

const refusalOf = ({ by }: BudgetSpent): TransportRefusal =>
  by === 'organisation'
    ? { _tag: 'Throttled', retryAfterSeconds: 2 }
    : { _tag: 'ServiceBusy', retryAfterSeconds: 2 }

/** Reserves bytes for a request. Refuses a request that waits too long; rejects only when the client disconnects. */
export const reserve = async (
  ctx: AppContext,
  budget: ByteBudget,
  owner: Owner,
  bytes: number,
): Promise<Either<TransportRefusal, Held>> => {
  try {
    const held = budget.take(owner, bytes, patienceMilliseconds, () => goneSignal(ctx.res))
    return E.right(held instanceof Promise ? await held : held)
  } catch (cause) {
    if (cause instanceof BudgetSpent) return E.left(refusalOf(cause))
    throw cause
  }
}
