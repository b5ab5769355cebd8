import type { TaskEither } from '../fp.js'
import type { PortFailure } from '../ports/port-failure.js'

/** What every use case gives: its value, one of its own refusals, or the failure of a port. */
export type UseCaseResult<Refused, A> = TaskEither<Refused | PortFailure, A>

/** Whether it is given page by page. */
export const isPages = (value: unknown): value is AsyncIterable<unknown> =>
  (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[Symbol.asyncIterator] !== undefined
