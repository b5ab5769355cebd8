import { E, type Either } from '../fp.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'

/** Whether it is given page by page. */
export const isPages = (value: unknown): value is AsyncIterable<unknown> =>
  (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[Symbol.asyncIterator] !== undefined

/**
 * Pages that follow each other, each found by the last item of the one before; a Left, or a page that is not full, is the last.
 * `first`: the first page, where it was read before.
 */
export async function* pagesOf<Item>(
  pageAfter: (last: Item | undefined, limit: number) => PortResult<readonly Item[]>,
  limit: number,
  first?: readonly Item[],
): AsyncGenerator<Either<PortFailure, readonly Item[]>> {
  let page = first === undefined ? await pageAfter(undefined, limit)() : E.right(first)
  while (E.isRight(page) && page.right.length > 0) {
    yield page
    if (page.right.length < limit) return
    page = await pageAfter(page.right.at(-1), limit)()
  }
  if (E.isLeft(page)) yield page
}

/** The pages of one owner after the other, and then the last one, where there is one; a Left ends them all. */
export async function* inTurn<Owner, Page>(
  owners: Iterable<Owner>,
  pagesOfOwner: (owner: Owner) => AsyncIterable<Either<PortFailure, Page>>,
  last: () => Page | undefined = () => undefined,
): AsyncGenerator<Either<PortFailure, Page>> {
  for (const owner of owners)
    for await (const page of pagesOfOwner(owner)) {
      yield page
      if (E.isLeft(page)) return
    }
  const page = last()
  if (page !== undefined) yield E.right(page)
}

/** Makes a value of each item as it is asked for, and one more after the last item where `end` makes one. */
export async function* mapped<Item, Made>(
  items: AsyncIterable<Item>,
  make: (item: Item) => Made | Promise<Made>,
  end?: () => Made | Promise<Made>,
): AsyncGenerator<Made> {
  for await (const item of items) yield make(item)
  if (end !== undefined) yield end()
}

/** The page. A port that failed ends an iteration with its failure as the thrown value. */
export const foundIn = <Page>(page: Either<PortFailure, Page>): Page => {
  if (E.isLeft(page)) throw page.left
  return page.right
}

/** One page, `limit` 1 to 1000. `next` is absent on the last page. */
export type ListPage<Item, After> = Readonly<{ items: readonly Item[]; next: After | undefined }>

/** The store is asked for one item more than the page has, to know whether there is a next page. */
export const pageOf = <Item, After>(
  found: readonly Item[],
  limit: number,
  placeOfItem: (item: Item) => After,
): ListPage<Item, After> => {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? placeOfItem(last) : undefined }
}
