import type { TaskEither } from '../fp.js'
import type { PortFailure } from '../ports/port-failure.js'

/** What every use case gives: its value, one of its own refusals, or the failure of a port. */
export type UseCaseResult<Refused, A> = TaskEither<Refused | PortFailure, A>
