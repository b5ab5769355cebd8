import { E, type TaskEither } from '../fp.js'
import { portFailure, type PortFailure } from '../ports/port-failure.js'

/** The same work; what it throws, against its type, is a failure of the use case, which a caller can answer. */
export const withThrownAsFailure =
  <Refused, A>(
    useCase: string,
    work: TaskEither<Refused | PortFailure, A>,
  ): TaskEither<Refused | PortFailure, A> =>
  async () => {
    try {
      return await work()
    } catch (cause) {
      return E.left(portFailure('unexpected', useCase, 'run', cause))
    }
  }
