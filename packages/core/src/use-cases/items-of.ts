import type { Either } from '../fp.js'
import type { PortFailure } from '../ports/port-failure.js'

const tagOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '_tag' in value ? value._tag : undefined

const isPortFailure = (value: unknown): value is PortFailure => tagOf(value) === 'PortFailure'

const isEither = (value: unknown): value is Either<unknown, unknown> =>
  tagOf(value) === 'Left' || tagOf(value) === 'Right'

const foundIn = (page: unknown): unknown => {
  if (!isEither(page)) return page
  if (page._tag === 'Left') throw page.left
  return page.right
}

/** A failing port as an `Error`; its text names only the port and the operation. */
const errorOf = (cause: unknown): unknown =>
  isPortFailure(cause) ? new Error(`${cause.port}.${cause.operation} failed`, { cause }) : cause

/** The items of pages that are lists; any other page as it is. A failed page is thrown as an `Error`. */
export async function* itemsOf(pages: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    for await (const page of pages) {
      const found = foundIn(page)
      if (Array.isArray(found)) yield* found
      else yield found
    }
  } catch (cause) {
    throw errorOf(cause)
  }
}
