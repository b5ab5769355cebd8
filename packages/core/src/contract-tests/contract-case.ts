import { deepStrictEqual } from 'node:assert/strict'
import type { TaskEither } from '../fp.js'

/**
 * One requirement of a port, as data for any test runner: call `run` with an implementation; it rejects with an
 * `AssertionError` if the requirement is not met. Cases use unique codes, so that many cases and many runs can share one
 * database.
 */
export type ContractCase<Subject> = Readonly<{
  port: string
  title: string
  /** The case counts or claims rows of the whole service: no other case may run on the same subject concurrently. */
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
export const right = async <E, A>(answer: TaskEither<E, A>): Promise<A> => {
  const either = await answer()
  if (either._tag === 'Right') return either.right
  throw new Error(`expected a Right, not ${describe(either.left)}`, { cause: either.left })
}

/** The refusal of an answer; throws for a Right. */
export const left = async <E, A>(answer: TaskEither<E, A>): Promise<E> => {
  const either = await answer()
  if (either._tag === 'Left') return either.left
  throw new Error('expected a Left')
}

export const equal = (actual: unknown, expected: unknown, message?: string): void =>
  deepStrictEqual(actual, expected, message)
