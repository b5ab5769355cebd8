import type { PortFailure } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'

/** The answer of the call; a Left fails the test with its cause. */
export const answer = async <A>(call: Promise<Either<unknown, A>>): Promise<A> => {
  const result = await call
  if (E.isRight(result)) return result.right
  throw new Error(`The call was refused: ${JSON.stringify(result.left)}`, { cause: result.left })
}

/** The failure of a call that must fail. */
export const failure = async (call: Promise<Either<PortFailure, unknown>>): Promise<PortFailure> => {
  const result = await call
  if (E.isLeft(result)) return result.left
  throw new Error('The call did not fail')
}
