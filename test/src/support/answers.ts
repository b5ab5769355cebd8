import type { PortFailure, StageOutcome } from '@account-import/core'
import { E, type TaskEither } from '@account-import/core/adapter-kit'

/** The answer of the call; a Left fails the test with its cause. */
export const answer = async <A>(call: TaskEither<unknown, A>): Promise<A> => {
  const result = await call()
  if (E.isRight(result)) return result.right
  throw new Error(`The call was refused: ${JSON.stringify(result.left)}`, { cause: result.left })
}

const failureOfOnly = (value: unknown): PortFailure | undefined => {
  const [outcome] = Array.isArray(value) && value.length === 1 ? (value as readonly StageOutcome[]) : []
  return outcome?._tag === 'failed' ? outcome.failure : undefined
}

/** The failure of a call that must fail, or of the one staging that was asked for. */
export const failure = async (call: TaskEither<PortFailure, unknown>): Promise<PortFailure> => {
  const result = await call()
  const found = E.isLeft(result) ? result.left : failureOfOnly(result.right)
  if (found !== undefined) return found
  throw new Error('The call did not fail')
}
