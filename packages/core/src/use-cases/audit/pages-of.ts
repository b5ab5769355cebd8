import { E, type Either, type TaskEither } from '../../fp.js'
import type { PortFailure } from '../../ports/port-failure.js'

/** Pages that follow each other, each found by the last item of the one before; a Left, or a page that is not full, is the last. */
export async function* pagesOf<Item>(
  pageAfter: (last: Item | undefined, limit: number) => TaskEither<PortFailure, readonly Item[]>,
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
