import { deepStrictEqual } from 'node:assert/strict'
import type { TaskEither } from '../fp.js'

/**
 * One promise of a port, as data for any test runner: call `run` with an implementation; it rejects with an
 * `AssertionError` where the promise is broken. Cases make codes of their own, so that many of them, and many
 * runs, can share one database.
 */
export type ContractCase<Subject> = Readonly<{
  port: string
  title: string
  /** It counts or takes things of the whole service: no other case may run on the same subject at the same time. */
  alone?: true
  run(subject: Subject): Promise<void>
}>

/** The cases of a port by what they promise. */
export const casesOf = <Subject>(
  port: string,
  cases: Readonly<Record<string, ContractCase<Subject>['run']>>,
  alone?: 'alone',
): readonly ContractCase<Subject>[] =>
  Object.entries(cases).map(([title, run]) => ({ port, title, run, ...(alone && { alone: true }) }))

const told = (refusal: unknown): string => {
  const { _tag, cause } = (refusal ?? {}) as Readonly<{ _tag?: unknown; cause?: unknown }>
  return cause instanceof Error ? `${String(_tag)}: ${cause.message}` : String(_tag)
}

/** The value of a port's answer; a Left is a broken promise. */
export const right = async <E, A>(answer: TaskEither<E, A>): Promise<A> => {
  const either = await answer()
  if (either._tag === 'Right') return either.right
  throw new Error(`a Right was promised, not ${told(either.left)}`, { cause: either.left })
}

/** The refusal of an answer; a Right is a broken promise. */
export const left = async <E, A>(answer: TaskEither<E, A>): Promise<E> => {
  const either = await answer()
  if (either._tag === 'Left') return either.left
  throw new Error('a Left was promised')
}

export const equal = (actual: unknown, expected: unknown, message?: string): void =>
  deepStrictEqual(actual, expected, message)
