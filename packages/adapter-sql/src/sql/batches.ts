import { setImmediate } from 'node:timers'
import { portFailure, type PortFailure } from '@account-import/core'
import { compareCodePoints } from '@account-import/core/adapter-kit'
import { failureKind, isAway, retryReasonOf } from './failures.js'
import { grouped } from './rows.js'
import type { OnBatch, Session } from './session.js'
import { TurnLine } from './turn-line.js'

/** The items that one call of `run` may get. */
type BatchOptions<Item> = Readonly<{
  work: Parameters<OnBatch>[0]['work']
  /** The organisation of an item. Organisations take turns. */
  owner(item: Item): string
  /** Only items of one group are in one call; all of them when absent. A list is taken apart by its groups. */
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
  /** The numbers of items that one statement takes; a call has one of them where lists can be joined to it. Any when absent. */
  sizes?: readonly number[]
  /** Most calls at one time; the number of the dialect when absent. */
  parallel?: number | undefined
}>

/** The outcome of an item, or the cause for which it has none. */
type Settled<Outcome> = Readonly<{ outcome: Outcome; cause?: undefined }> | Readonly<{ cause: unknown }>

type Results<Item, Outcome> = readonly (readonly [Item, Settled<Outcome>])[]

const paired = <A, B>(items: readonly A[], others: readonly B[]): readonly (readonly [A, B])[] =>
  items.flatMap((item, index) => others.slice(index, index + 1).map((other) => [item, other] as const))

/** A list, or a part of it, that one call gets whole. */
type Part<Item> = Readonly<{ items: readonly Item[]; group: string; bytes: number }>

/** A list in the parts that one call may get: each of one group, and no larger than a call, but for a single item. */
const partsOf = <Item>(
  items: readonly Item[],
  { group = () => '', most, bytes }: BatchOptions<Item>,
): readonly Part<Item>[] => {
  const parts: Part<Item>[] = []
  for (const [name, list] of grouped(items, group)) {
    let part: Item[] = []
    let length = 0
    for (const item of list) {
      const next = bytes?.of(item) ?? 0
      const isFull = part.length === most || (bytes !== undefined && length + next > bytes.most)
      if (isFull && part.length > 0) {
        parts.push({ items: part, group: name, bytes: length })
        part = []
        length = 0
      }
      part.push(item)
      length += next
    }
    parts.push({ items: part, group: name, bytes: length })
  }
  return parts
}

/**
 * A part that waits for a call. `alone`: why it is in no call with others: another failed their call, or its one item met a lock
 * itself.
 */
type Waiting<Item, Outcome> = Part<Item> &
  Readonly<{
    owner: string
    names: readonly string[]
    alone?: 'failed' | 'locked'
    since: number
    settle: (results: Results<Item, Outcome>) => void
  }>

/** The next parts of one call: always the first, and those that may be with it. None overtakes one that names the same item. */
const takeBatch = <Item, One extends Omit<Waiting<Item, never>, 'settle'>>(
  queue: readonly One[],
  { most, bytes: limit, sizes }: BatchOptions<Item>,
): readonly One[] => {
  const [first] = queue
  if (first === undefined) return []
  if (first.alone !== undefined) return [first]
  const names = new Set<string>()
  const found: One[] = []
  let [items, bytes, ofSize] = [0, 0, 0]
  for (const one of queue) {
    if (items === most) break
    if (one.alone !== undefined || one.group !== first.group) continue
    const isApart = one.names.some((name) => names.has(name))
    for (const name of one.names) names.add(name)
    const [more, longer] = [items + one.items.length, bytes + one.bytes]
    const isTooMuch = more > most || (limit !== undefined && longer > limit.most)
    if (isApart || (isTooMuch && found.length > 0)) continue
    found.push(one)
    items = more
    bytes = longer
    if (sizes?.includes(items) === true) ofSize = found.length
  }
  return ofSize === 0 ? found : found.slice(0, ofSize)
}

/**
 * Callers that have waited this long when a call finds the database unavailable fail with it instead of waiting for the next.
 */
const mostMilliseconds = 1000

/** An item that meets a lock is tried again until it has waited this long. */
const mostLockedMilliseconds = 5000

type Run<Item, Outcome> = (items: readonly Item[], session: Session) => Promise<readonly Outcome[]>

/**
 * Joins the lists of all callers of the same moment, and takes none apart that fits into a call. No caller is delayed: while fewer
 * than `parallel` calls run, all lists of one turn of the event loop run at its end; the others run as calls end, and their owners take
 * turns. A call waits for locked rows once, for a second. The lists of a failed call are tried one by one, and so are the items of
 * a failed list, so that an item that cannot be done does not fail the others, and locked ones last, in all calls but one; not if the
 * whole database is unavailable.
 */
const queued = <Item, Outcome>(
  session: Session,
  run: Run<Item, Outcome>,
  options: BatchOptions<Item>,
): ((part: Part<Item>) => Promise<Results<Item, Outcome>>) => {
  type One = Waiting<Item, Outcome>
  const { work, owner, name, bytes, parallel = session.dialect.parallelBatches } = options
  const impatient = session.impatient ?? session
  const line = new TurnLine<One>()
  let running = 0
  let locked = 0
  let begins = false

  const waiting = (part: Part<Item>, settle: One['settle'], since = performance.now()): One => ({
    ...part,
    owner: part.items.slice(0, 1).map(owner).join(''),
    names: name === undefined ? [] : part.items.map(name),
    since,
    settle,
  })

  const settleAll = ({ items, settle }: One, cause: unknown): void =>
    settle(items.map((item) => [item, { cause }] as const))

  /** Each item of a part by itself; the part is settled when all are. */
  const split = ({ items, group, since, settle }: One): readonly One[] => {
    const results: (readonly [Item, Settled<Outcome>])[] = []
    return items.map((item) => {
      const part = { items: [item], group, bytes: bytes?.of(item) ?? 0 }
      const settleOne: One['settle'] = (found) => {
        results.push(...found)
        if (results.length === items.length) settle(results)
      }
      return { ...waiting(part, settleOne, since), alone: 'failed' }
    })
  }

  const failOne = (one: One, cause: unknown): void => {
    const isLocked = retryReasonOf(cause) === 'lock_wait'
    if (one.items.length > 1) line.joinFirst(split(one))
    else if (isLocked && performance.now() - one.since < mostLockedMilliseconds)
      line.join({ ...one, alone: 'locked' })
    else settleAll(one, cause)
  }

  const fail = (batch: readonly One[], cause: unknown): void => {
    if (isAway(cause)) {
      const latest = performance.now() - mostMilliseconds
      const failed = [...batch, ...line.all.filter((one) => one.since < latest)]
      line.leave(failed)
      for (const one of failed) settleAll(one, cause)
    } else if (batch.length > 1) line.joinFirst(batch.map((one) => ({ ...one, alone: 'failed' })))
    else for (const one of batch) failOne(one, cause)
  }

  const runBatch = async (batch: readonly One[]): Promise<void> => {
    const change = batch[0]?.alone === 'locked' ? 1 : 0
    locked += change
    try {
      const items = batch.flatMap((one) => one.items)
      session.onBatch?.({ work, size: items.length })
      const outcomes = await run(items, impatient)
      let from = 0
      for (const one of batch) {
        const end = from + one.items.length
        one.settle(
          paired(
            one.items,
            outcomes.slice(from, end).map((outcome) => ({ outcome })),
          ),
        )
        from = end
      }
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

  return (part) =>
    new Promise((resolve) => {
      line.join(waiting(part, resolve))
      if (begins || running >= parallel) return
      begins = true
      setImmediate(begin)
    })
}

type OnLists<Item, Outcome> = (items: readonly Item[]) => Promise<readonly Outcome[]>

const rethrown = (cause: unknown): never => {
  throw cause
}

/** The outcomes of the items, in their order. */
const outcomesOf = <Item, Outcome>(
  items: readonly Item[],
  results: Results<Item, Outcome>,
  failed: (cause: unknown) => Outcome,
): readonly Outcome[] => {
  const found = new Map(results)
  return items.map((item) => {
    const settled = found.get(item) ?? { cause: new Error('no outcome for an item') }
    return 'outcome' in settled ? settled.outcome : failed(settled.cause)
  })
}

/** Runs a list within a transaction, whose caller is alone: in the order of the names, and never again after a failure. */
const inOrder =
  <Item, Outcome>(
    session: Session,
    run: Run<Item, Outcome>,
    options: BatchOptions<Item>,
  ): OnLists<Item, Outcome> =>
  async (items) => {
    const { name = () => '' } = options
    const results: (readonly [Item, Settled<Outcome>])[] = []
    for (const part of partsOf(
      items.toSorted((a, b) => compareCodePoints(name(a), name(b))),
      options,
    )) {
      const outcomes = await run(part.items, session)
      results.push(
        ...paired(
          part.items,
          outcomes.map((outcome) => ({ outcome })),
        ),
      )
    }
    return outcomesOf(items, results, rethrown)
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
  failed: (cause: unknown) => Outcome = rethrown,
): OnLists<Item, Outcome> => {
  if (session.isUnitOfWork) return inOrder(session, run, options)
  const join = queued(session, run, options)
  return async (items) => {
    const results = (await Promise.all(partsOf(items, options).map(join))).flat()
    const causes = results.flatMap(([, settled]) => ('outcome' in settled ? [] : [settled.cause]))
    const isOfOneKind = causes.length === items.length && new Set(causes.map(failureKind)).size === 1
    if (isOfOneKind) throw causes[0]
    return outcomesOf(items, results, failed)
  }
}

/** Most keys of one call of `read`. */
export const mostKeys = 64

/**
 * Joins the lists of concurrent reads, as most requests under load need the same rows; each key is read once. A read begins after all
 * of its callers have asked, so the result is as fresh as that of a read of their own. `nameOf` returns different texts for different
 * keys; `read` returns a result for each of the keys, in their order.
 */
export const listsInBatches = <Key, Found>(
  session: Session,
  owner: (key: Key) => string,
  nameOf: (key: Key) => string,
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
): ((keys: readonly Key[]) => Promise<readonly Found[]>) => {
  const readDistinct = async (keys: readonly Key[]): Promise<readonly Found[]> => {
    const distinct = new Map(keys.map((key) => [nameOf(key), key]))
    const found = await read([...distinct.values()])
    const results = paired(
      [...distinct.keys()],
      found.map((outcome) => ({ outcome })),
    )
    return outcomesOf(keys.map(nameOf), results, rethrown)
  }
  return inBatches(session, readDistinct, { work: 'read', owner, most: mostKeys })
}

/** As `listsInBatches`, for readers of one key. */
export const readsInBatches = <Key, Found>(
  ...given: Parameters<typeof listsInBatches<Key, Found>>
): ((key: Key) => Promise<Found>) => {
  const readList = listsInBatches(...given)
  return async (key) => {
    for (const found of await readList([key])) return found
    throw new Error('a read returned nothing')
  }
}
