import type { PortFailure, AuthenticationFailed } from '@account-import/core'
import { E, type TaskEither } from '@account-import/core/adapter-kit'

/** Whether the request may go on; asked again and again, it asks a store once in 30 seconds. */
export type InForce = TaskEither<AuthenticationFailed | PortFailure, void>

/** The key of a request was revoked, or its organisation disabled, or its session ended, while it was answered. */
class AccessEnded extends Error {
  override readonly name = 'AccessEnded'
}

/**
 * The same items while what the request's token hangs on is in force; then the iteration throws, and so it does where that cannot
 * be found out. For requests that take longer than a revocation may.
 */
export async function* whileInForce<Item>(
  items: AsyncIterable<Item>,
  inForce: InForce,
): AsyncGenerator<Item> {
  for await (const item of items) {
    const answer = await inForce()
    if (E.isLeft(answer))
      throw answer.left._tag === 'PortFailure'
        ? answer.left
        : new AccessEnded('The access of the request ended.')
    yield item
  }
}
