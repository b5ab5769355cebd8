import { E, type Either } from '../fp.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'

/** Whether it is given page by page. */
export const isPages = (value: unknown): value is AsyncIterable<unknown> =>
  (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[Symbol.asyncIterator] !== undefined

/** Pages that follow each other, each found by the last item of the one before; a Left, or a page that is not full, is the last. */
export async function* pagesOf<Item>(
  pageAfter: (last: Item | undefined, limit: number) => PortResult<readonly Item[]>,
  limit: number,
): AsyncGenerator<Either<PortFailure, readonly Item[]>> {
  let last: Item | undefined
  for (;;) {
    const page = await pageAfter(last, limit)()
    if (E.isLeft(page) || page.right.length > 0) yield page
    if (E.isLeft(page) || page.right.length < limit) return
    last = page.right.at(-1)
  }
}

/** The same pages after one that was read before. A port that fails ends the iteration with its failure as the thrown value. */
export async function* pagesFrom<Item>(
  first: readonly Item[],
  pageAfter: (last: Item | undefined) => PortResult<readonly Item[]>,
  limit: number,
): AsyncGenerator<readonly Item[]> {
  for (let page = first; page.length > 0;) {
    yield page
    if (page.length < limit) return
    const next = await pageAfter(page.at(-1))()
    if (E.isLeft(next)) throw next.left
    page = next.right
  }
}
