import { deepStrictEqual } from 'node:assert/strict'
import { E, type Either } from '../fp.js'

/**
 * One requirement of a port, as data for any test runner: call `run` with an implementation; it rejects with an
 * `AssertionError` if the requirement is not met. Cases use unique codes, so that many cases and many runs can share one
 * database.
 */
export type ContractCase<Subject> = Readonly<{
  port: string
  title: string
  /**
   * No other case may run on the same subject concurrently: the case counts or claims rows of the whole service, or waits for a
   * lock in time.
   */
  alone?: true
  run(subject: Subject): Promise<void>
}>

/** The cases of a port, by title. */
export const casesOf = <Subject>(
  port: string,
  cases: Readonly<Record<string, ContractCase<Subject>['run']>>,
  alone?: 'alone',
): readonly ContractCase<Subject>[] =>
  Object.entries(cases).map(([title, run]) => ({ port, title, run, ...(alone && { alone: true }) }))

const describe = (refusal: unknown): string => {
  const { _tag, cause } = (refusal ?? {}) as Readonly<{ _tag?: unknown; cause?: unknown }>
  return cause instanceof Error ? `${String(_tag)}: ${cause.message}` : String(_tag)
}

/** The value of a port's answer; throws for a Left. */
export const right = async <L, A>(answer: Promise<Either<L, A>>): Promise<A> => {
  const either = await answer
  if (E.isRight(either)) return either.right
  throw new Error(`expected a Right, not ${describe(either.left)}`, { cause: either.left })
}

/** The refusal of an answer; throws for a Right. */
export const left = async <L, A>(answer: Promise<Either<L, A>>): Promise<L> => {
  const either = await answer
  if (E.isLeft(either)) return either.left
  throw new Error('expected a Left')
}

/** The answer of work that refuses. */
export type Refused = Readonly<{ _tag: 'Refused' }>
export const refused: Refused = { _tag: 'Refused' }

export const equal = (actual: unknown, expected: unknown, message?: string): void =>
  deepStrictEqual(actual, expected, message)
