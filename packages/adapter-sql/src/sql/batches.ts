import { setImmediate } from 'node:timers'
import { portFailure, type PortFailure } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import { failureKind, isAway, retryReasonOf } from './failures.js'
import type { OnBatch, Session } from './session.js'

/** The items that one call of `run` may get. */
type BatchOptions<Item> = Readonly<{
  work: Parameters<OnBatch>[0]['work']
  /** The organisation of an item. Organisations take turns. */
  owner(item: Item): string
  /** Only items of one group are in one call; all of them when absent. */
  group?(item: Item): string
  /**
   * Items of one name are never in one call. Inside a unit of work they run in the order of their names, so that all
   * transactions lock in one order. When absent, any items are in one call.
   */
  name?(item: Item): string
  /** Larger calls save little, and hold locks for longer. */
  most: number
  /** Most bytes of one call, and those of an item; an item that alone exceeds them has a call of its own. */
  bytes?: Readonly<{ most: number; of(item: Item): number }>
  /** The only sizes of a call, the largest first, because each connection prepares a statement for each; any when absent. */
  sizes?: readonly number[]
  /** Most calls at one time; the number of the dialect when absent. */
  parallel?: number | undefined
}>

/** `alone`: why the item is in no call with others: another item failed their call, or it met a lock itself. */
type Waiting<Item, Outcome> = Readonly<{
  item: Item
  owner: string
  group: string
  name: string | undefined
  bytes: number
  alone?: 'failed' | 'locked'
  since: number
  resolve: (outcome: Outcome) => void
  reject: (cause: unknown) => void
}>

/** The next items of one call: always the first, and those that may be with it. */
const takeBatch = <Item, One extends Omit<Waiting<Item, unknown>, 'since' | 'resolve' | 'reject'>>(
  queue: readonly One[],
  { most, bytes: limit, sizes }: BatchOptions<Item>,
): readonly One[] => {
  const [first] = queue
  if (first?.alone !== undefined) return [first]
  const names = new Set<string>()
  const found: One[] = []
  let bytes = 0
  for (const one of queue) {
    if (one.alone !== undefined || one.group !== first?.group) continue
    if (one.name !== undefined && names.has(one.name)) continue
    bytes += one.bytes
    if (found.length === most || (found.length > 0 && limit !== undefined && bytes > limit.most)) break
    if (one.name !== undefined) names.add(one.name)
    found.push(one)
  }
  return found.slice(
    0,
    sizes?.find((size) => size <= found.length),
  )
}

const entryOf = <Item>(item: Item, { owner, group, name, bytes }: BatchOptions<Item>) => ({
  item,
  owner: owner(item),
  group: group?.(item) ?? '',
  name: name?.(item),
  bytes: bytes?.of(item) ?? 0,
})

/**
 * Callers that have waited this long when a call finds the database unavailable fail with it instead of waiting for the next.
 */
const mostMilliseconds = 1000

/** An item that meets a lock is tried again until it has waited this long. */
const mostLockedMilliseconds = 5000

/**
 * A queue in which owners take turns: each next item of an owner has a later turn, and the first of another owner the turn of now.
 */
class TurnLine<One extends Readonly<{ owner: string }>> {
  private line: Readonly<{ one: One; turn: number }>[] = []
  private readonly latest = new Map<string, number>()
  private now = 0

  get all(): readonly One[] {
    return this.line.map(({ one }) => one)
  }

  join(one: One): void {
    const turn = Math.max(this.now, (this.latest.get(one.owner) ?? -1) + 1)
    this.latest.set(one.owner, turn)
    this.line.splice(this.line.findLastIndex((each) => each.turn <= turn) + 1, 0, { one, turn })
  }

  /** Items whose call failed are the next. */
  joinFirst(items: readonly One[]): void {
    this.line.unshift(...items.map((one) => ({ one, turn: this.now })))
  }

  leave(items: readonly One[]): void {
    const leaving = new Set(items)
    this.now = this.line.find(({ one }) => leaving.has(one))?.turn ?? this.now
    this.line = this.line.filter(({ one }) => !leaving.has(one))
    if (this.line.length === 0) this.latest.clear()
  }
}

type Run<Item, Outcome> = (items: readonly Item[], session: Session) => Promise<readonly Outcome[]>

/**
 * Joins the items of all callers of the same moment. No caller is delayed: while fewer than `parallel` calls run, all items of
 * one turn of the event loop run at its end; the others run as calls end, and their owners take turns. A call waits for locked rows
 * once, for a second. The items of a failed call are tried one by one, so that an item that cannot be done does not fail the others,
 * and locked ones last, in all calls but one; not if the whole database is unavailable.
 */
const queued = <Item, Outcome>(
  session: Session,
  run: Run<Item, Outcome>,
  options: BatchOptions<Item>,
): ((item: Item) => Promise<Outcome>) => {
  type One = Waiting<Item, Outcome>
  const { work, parallel = session.dialect.parallelBatches } = options
  const impatient = session.impatient ?? session
  const line = new TurnLine<One>()
  let running = 0
  let locked = 0
  let begins = false

  const fail = (batch: readonly One[], cause: unknown): void => {
    const [first] = batch
    const since = first?.since ?? 0
    const isLocked = retryReasonOf(cause) === 'lock_wait'
    if (isAway(cause)) {
      const latest = performance.now() - mostMilliseconds
      const failed = [...batch, ...line.all.filter((one) => one.since < latest)]
      line.leave(failed)
      for (const { reject } of failed) reject(cause)
    } else if (batch.length > 1) line.joinFirst(batch.map((one) => ({ ...one, alone: 'failed' })))
    else if (first !== undefined && isLocked && performance.now() - since < mostLockedMilliseconds)
      line.join({ ...first, alone: 'locked' })
    else first?.reject(cause)
  }

  const runBatch = async (batch: readonly One[]): Promise<void> => {
    const change = batch[0]?.alone === 'locked' ? 1 : 0
    locked += change
    try {
      session.onBatch?.({ work, size: batch.length })
      const outcomes = await run(
        batch.map(({ item }) => item),
        impatient,
      )
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome)
    } catch (cause) {
      fail(batch, cause)
    } finally {
      locked -= change
    }
  }

  /** Leaves a call for items that met no lock. */
  const next = (): readonly One[] => {
    const mayWait = locked < Math.max(1, parallel - 1)
    return takeBatch(mayWait ? line.all : line.all.filter(({ alone }) => alone !== 'locked'), options)
  }

  const runQueue = async (): Promise<void> => {
    running += 1
    for (let batch = next(); batch.length > 0; batch = next()) {
      line.leave(batch)
      await runBatch(batch)
    }
    running -= 1
  }

  const begin = (): void => {
    begins = false
    while (running < parallel && next().length > 0) void runQueue()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      line.join({ ...entryOf(item, options), since: performance.now(), resolve, reject })
      if (begins || running >= parallel) return
      begins = true
      setImmediate(begin)
    })
}

type OnLists<Item, Outcome> = (items: readonly Item[]) => Promise<readonly Outcome[]>

/** Runs a list within a transaction, whose caller is alone: in the order of the names, and never again after a failure. */
const inOrder =
  <Item, Outcome>(
    session: Session,
    run: Run<Item, Outcome>,
    options: BatchOptions<Item>,
  ): OnLists<Item, Outcome> =>
  async (items) => {
    const outcomes = new Map<Item, Outcome>()
    let left = items
      .map((item) => entryOf(item, options))
      .toSorted(({ name: a = '' }, { name: b = '' }) => compareCodePoints(a, b))
    while (left.length > 0) {
      const batch = takeBatch(left, options)
      const found = await run(
        batch.map(({ item }) => item),
        session,
      )
      for (const [index, { item }] of batch.entries()) outcomes.set(item, found[index] as Outcome)
      const taken = new Set(batch)
      left = left.filter((one) => !taken.has(one))
    }
    return items.map((item) => outcomes.get(item) as Outcome)
  }

/** The outcome of an item that could not be done, while others of its list were. */
export type Failed = Readonly<{ _tag: 'failed'; failure: PortFailure }>

/** Makes the outcome `failed` of an operation of the imports. */
export const failedAlone =
  (operation: string) =>
  (cause: unknown): Failed => ({
    _tag: 'failed',
    failure: portFailure(failureKind(cause), 'accountImports', operation, cause),
  })

/**
 * Makes an operation on lists of `run`, which gets the lists of all callers of the same moment as one, and answers an outcome
 * for each item, in their order, by the session that it gets. Rejects if no item of a list could be done, for one reason, or if there is no `failed`. Inside a
 * unit of work the list of the one caller runs in its transaction, and a failure rejects.
 */
export const inBatches = <Item, Outcome>(
  session: Session,
  run: Run<Item, Outcome>,
  options: BatchOptions<Item>,
  failed?: (cause: unknown) => Outcome,
): OnLists<Item, Outcome> => {
  if (session.isUnitOfWork) return inOrder(session, run, options)
  const one = queued(session, run, options)
  return async (items) => {
    const settled = await Promise.allSettled(items.map(one))
    const causes = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
    const isOfOneKind = causes.length === items.length && new Set(causes.map(failureKind)).size === 1
    if (causes.length > 0 && (failed === undefined || isOfOneKind)) throw causes[0]
    return settled.map((each) =>
      each.status === 'fulfilled' ? each.value : (failed as NonNullable<typeof failed>)(each.reason),
    )
  }
}

/** Most keys of one call of `read`. */
const mostKeys = 64

/**
 * Joins concurrent reads, as most requests under load need the same rows; each key is read once. A read begins after all of its
 * callers have asked, so the result is as fresh as that of a read of their own. `nameOf` returns different texts for different
 * keys; `read` returns a result for each of the keys, in their order.
 */
export const readsInBatches = <Key, Found>(
  session: Session,
  owner: (key: Key) => string,
  nameOf: (key: Key) => string,
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
): ((key: Key) => Promise<Found>) => {
  const readDistinct = async (keys: readonly Key[]): Promise<readonly Found[]> => {
    const distinct = new Map(keys.map((key) => [nameOf(key), key]))
    const found = await read([...distinct.values()])
    const indexes = new Map([...distinct.keys()].map((name, index) => [name, index]))
    return keys.map((key) => found[indexes.get(nameOf(key)) as number] as Found)
  }
  const readInBatch = inBatches(session, readDistinct, { work: 'read', owner, most: mostKeys })
  return async (key) => (await readInBatch([key]))[0] as Found
}
