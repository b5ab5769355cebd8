import { E, type Either, FairLine } from '@account-import/core/adapter-kit'
import type { TransportRefusal } from '@account-import/http-contract'
import { type AppContext, goneSignal } from '../context.js'

/** Time between two looks of the event loop at its sockets that work may take together, milliseconds. */
const sliceMilliseconds = 5

/** More than can be begun in a slice, few enough to be asked for in vain. */
const mostInTurn = 64

/**
 * Bounds the time that work takes in each turn of the event loop, so that sockets are served in between, health checks above
 * all. Work that finds the slice used up waits for a later turn; owners take turns.
 */
export class LoopSlice {
  private readonly line = new FairLine<() => void>()
  private readonly milliseconds: () => number
  /** When the first work of this turn was begun; undefined before. */
  private since: number | undefined

  constructor(milliseconds: () => number = () => sliceMilliseconds) {
    this.milliseconds = milliseconds
  }

  /** How much work waits. */
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
    // Sees to it that a later turn comes.
    this.hasTime()
  }

  /** Work that is wanted no more leaves the line. */
  leave(owner: string, work: () => void): void {
    this.line.leave(owner, work)
  }

  /** Resolves in a later turn. */
  later(owner: string): Promise<void> {
    return new Promise((resolve) => this.queue(owner, resolve))
  }

  /** The first work of a turn always has time, however short the slice is. */
  private hasTime(): boolean {
    if (this.since !== undefined) return performance.now() - this.since < this.milliseconds()
    this.since = performance.now()
    setImmediate(() => this.turn())
    return true
  }

  /** One `setImmediate` for each piece of work, so that the promises it leads to count towards the slice. */
  private turn(): void {
    this.since = undefined
    for (let left = Math.min(this.line.size, mostInTurn); left > 0; left -= 1) setImmediate(() => this.next())
  }

  private next(): void {
    if (this.line.size > 0 && this.hasTime()) this.line.next()?.()
  }
}

/** The slice for parsing and validating: the event loop is one for the whole process, and so is this. */
export const parsingSlice = new LoopSlice()

/** Bytes that may be held at one time: by one key, and by all of them together. */
type Budget = Readonly<{ key: number; all: number }>

/** Bytes that are held until they are given back. */
export type Held = Readonly<{
  /** Gives back what is above so many bytes. */
  shrinkTo(bytes: number): void
  /** Gives back all; nothing when called again. */
  release(): void
}>

/** Why bytes were not lent: the key holds too much itself, or all keys together do. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
  readonly by: keyof Budget

  constructor(by: keyof Budget) {
    super('the budget of bytes stayed spent')
    this.by = by
  }
}

/**
 * Lends bytes of memory to requests. A request that finds too little left waits; keys take turns, and a key that has its share
 * keeps only itself waiting. A request for more than a key's share gets the whole share.
 */
export class ByteBudget {
  private readonly budget: Budget
  private readonly byKey = new Map<string, number>()
  private readonly line = new FairLine<Readonly<{ key: string; bytes: number; enter: () => void }>>()
  private held = 0

  constructor(budget: Budget) {
    this.budget = budget
  }

  /**
   * A promise only where it has to wait. The promise rejects with `BudgetSpent` after `patienceMilliseconds`, and with the reason of
   * the signal, which is made only then.
   */
  take(
    key: string,
    wanted: number,
    patienceMilliseconds?: number,
    signal?: () => AbortSignal,
  ): Held | Promise<Held> {
    const bytes = Math.min(wanted, this.budget.key)
    return this.line.size === 0 && this.choiceOf(key, bytes) === 'take'
      ? this.lend(key, bytes)
      : this.wait(key, bytes, patienceMilliseconds, signal?.())
  }

  private choiceOf(key: string, bytes: number): 'take' | 'pass' | 'stop' {
    if ((this.byKey.get(key) ?? 0) + bytes > this.budget.key) return 'pass'
    return this.held + bytes > this.budget.all ? 'stop' : 'take'
  }

  private add(key: string, bytes: number): void {
    const left = (this.byKey.get(key) ?? 0) + bytes
    if (left > 0) this.byKey.set(key, left)
    else this.byKey.delete(key)
    this.held += bytes
  }

  private lend(key: string, bytes: number): Held {
    this.add(key, bytes)
    let left = bytes
    const shrinkTo = (most: number): void => {
      if (most >= left) return
      this.add(key, most - left)
      left = most
      this.letIn()
    }
    return { shrinkTo, release: () => shrinkTo(0) }
  }

  private wait(
    key: string,
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
        resolve(this.lend(key, bytes))
      }
      const waiting = { key, bytes, enter }
      const leave = (): void => {
        end()
        this.line.leave(key, waiting)
        const by = this.choiceOf(key, bytes) === 'pass' ? 'key' : 'all'
        reject(signal?.aborted === true ? (signal.reason as Error) : new BudgetSpent(by))
        // Those behind it may fit where it did not.
        this.letIn()
      }
      const timer = patience === undefined ? undefined : setTimeout(leave, patience)
      this.line.join(key, waiting)
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted === true) leave()
      else this.letIn()
    })
  }

  private letIn(): void {
    for (;;) {
      const next = this.line.next(({ key, bytes }) => this.choiceOf(key, bytes))
      if (next === undefined) return
      next.enter()
    }
  }
}

/** Bodies of at least this size are parsed and validated in another thread, where there is one. */
export const longBodyBytes = 131_072

/** Times its length that a JSON text may take in memory once it is parsed; `[{},{},…]` takes that much. */
const parsedTimes = 40

/** Times its length that a longer text takes here: its bytes, and the copies on the way to the other thread. */
const carriedTimes = 8

/** Memory that working on a body of so many bytes may take in this thread, at worst. */
export const memoryOf = (bytes: number): number =>
  Math.min(bytes, longBodyBytes) * parsedTimes + Math.max(0, bytes - longBodyBytes) * carriedTimes

/** A body waits for so long until there is room for it. */
const patienceMilliseconds = 5000

/**
 * Bounds what bodies take of the memory of a process. `reading`: bytes of long bodies and lines that are coming; `working`: memory
 * of those that are worked on. Bytes are read before they are worked on and never the other way round, so nobody waits for ever.
 */
export type WorkBudgets = Readonly<{ reading: ByteBudget; working: ByteBudget }>

const refusalOf = ({ by }: BudgetSpent): TransportRefusal =>
  by === 'key' ? { _tag: 'Throttled', retryAfterSeconds: 2 } : { _tag: 'ServiceBusy', retryAfterSeconds: 2 }

/** Takes bytes for a request. A request that waits too long is refused; rejects only when the client goes away. */
export const reserve = async (
  ctx: AppContext,
  budget: ByteBudget,
  key: string,
  bytes: number,
): Promise<Either<TransportRefusal, Held>> => {
  try {
    const held = budget.take(key, bytes, patienceMilliseconds, () => goneSignal(ctx.res))
    return E.right(held instanceof Promise ? await held : held)
  } catch (cause) {
    if (cause instanceof BudgetSpent) return E.left(refusalOf(cause))
    throw cause
  }
}
