import { E, type Either } from '../fp.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'

/** Whether the value is an iteration of pages. */
export const isPages = (value: unknown): value is AsyncIterable<unknown> =>
  (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[Symbol.asyncIterator] !== undefined

/**
 * Keyset pages: the last item of a page finds the next; a Left, or a page that is not full, is the last. `first`: the first page,
 * if it was read before.
 */
export async function* pagesOf<Item>(
  pageAfter: (last: Item | undefined, limit: number) => PortResult<readonly Item[]>,
  limit: number,
  first?: readonly Item[],
): AsyncGenerator<Either<PortFailure, readonly Item[]>> {
  let page = first === undefined ? await pageAfter(undefined, limit) : E.right(first)
  while (E.isRight(page) && page.right.length > 0) {
    yield page
    if (page.right.length < limit) return
    page = await pageAfter(page.right.at(-1), limit)
  }
  if (E.isLeft(page)) yield page
}

/** The pages of one owner after the other; a Left ends the iteration. */
export async function* inTurn<Owner, Page>(
  owners: Iterable<Owner>,
  pagesOfOwner: (owner: Owner) => AsyncIterable<Either<PortFailure, Page>>,
): AsyncGenerator<Either<PortFailure, Page>> {
  for (const owner of owners)
    for await (const page of pagesOfOwner(owner)) {
      yield page
      if (E.isLeft(page)) return
    }
}

/**
 * Maps each item when it is requested, leaves out those of which `make` makes nothing, and adds the value of `end` after the last.
 * Holds no item while the next is awaited: the frame of a generator would, so each stream that waits would keep a page in memory.
 */
export const mapped = <Item, Made extends {}>(
  items: AsyncIterable<Item>,
  make: (item: Item) => Made | undefined | Promise<Made | undefined>,
  end?: () => Made | Promise<Made>,
): AsyncIterableIterator<Made> => {
  const source = items[Symbol.asyncIterator]()
  const over = { done: true, value: undefined } as const
  let last = end
  const stop = async () => {
    last = undefined
    await source.return?.()
    return over
  }
  const next = async (): Promise<IteratorResult<Made, undefined>> => {
    for (;;) {
      const step = await source.next()
      if (step.done === true) break
      try {
        const value = await make(step.value)
        if (value !== undefined) return { done: false, value }
      } catch (cause) {
        await stop()
        throw cause
      }
    }
    const makeLast = last
    last = undefined
    return makeLast === undefined ? over : { done: false, value: await makeLast() }
  }
  const iterator: AsyncIterableIterator<Made> = { next, return: stop, [Symbol.asyncIterator]: () => iterator }
  return iterator
}

/**
 * Does `then` with each item once its caller has taken it, which is when the next is requested, and holds it no longer. What `then`
 * throws ends the iteration.
 */
export const onceTaken = <Item>(
  items: AsyncIterable<Item>,
  then: (item: Item) => void | Promise<void>,
): AsyncIterableIterator<Item> => {
  const source = items[Symbol.asyncIterator]()
  const none = (): void => undefined
  let taken: () => void | Promise<void> = none
  const thenTaken = (): void | Promise<void> => {
    const once = taken
    taken = none
    return once()
  }
  const stop = async () => {
    await source.return?.()
    return { done: true, value: undefined } as const
  }
  const next = async (): Promise<IteratorResult<Item, undefined>> => {
    try {
      await thenTaken()
    } catch (cause) {
      await stop()
      throw cause
    }
    const step = await source.next()
    if (step.done === true) return { done: true, value: undefined }
    const item = step.value
    taken = () => then(item)
    return { done: false, value: item }
  }
  const iterator: AsyncIterableIterator<Item> = { next, return: stop, [Symbol.asyncIterator]: () => iterator }
  return iterator
}

/** The page. Throws the failure of a port, which ends the iteration. */
export const foundIn = <Page>(page: Either<PortFailure, Page>): Page => {
  if (E.isLeft(page)) throw page.left
  return page.right
}

/** One page, `limit` 1 to 1000. `next` is absent on the last page. */
export type ListPage<Item, After> = Readonly<{ items: readonly Item[]; next: After | undefined }>

/** Makes a page of `limit` items from `limit + 1` found ones: the additional item shows that there is a next page. */
export const pageOf = <Item, After>(
  found: readonly Item[],
  limit: number,
  placeOfItem: (item: Item) => After,
): ListPage<Item, After> => {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? placeOfItem(last) : undefined }
}
