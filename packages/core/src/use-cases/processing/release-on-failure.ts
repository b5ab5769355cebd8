import { E, pipe, TE, type TaskEither } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import { portFailure, type PortFailure } from '../../ports/port-failure.js'
import type { ErrorCode } from '../../catalogue/index.js'
import type { ProcessingRefused } from '../signatures.js'
import type { ClaimedAccount } from './claim-account.js'

/** The code that is recorded on the import for a failure after the claim was taken. */
const codeOf = (failure: ProcessingRefused | PortFailure): ErrorCode => {
  switch (failure._tag) {
    case 'AccountFailedValidation':
      return 'account_failed_validation'
    case 'PortFailure':
      return failure.kind === 'unavailable' ? 'service_unavailable' : 'error'
    default:
      return 'error'
  }
}

type Work<A> = TaskEither<ProcessingRefused | PortFailure, A>

/** Turns what is thrown into a failure, so that it ends the claim too. */
const withThrownAsFailure =
  <A>(work: Work<A>): Work<A> =>
  async () => {
    try {
      return await work()
    } catch (cause) {
      return E.left(portFailure('unexpected', 'processAccount', 'create', cause))
    }
  }

/**
 * A failure ends the claim, so that the account can be tried again at once, and is recorded on the import; a
 * dry run records nothing. If even that fails, the claim ends by its expiry, and the store's failure is the
 * answer: the same request may be sent again.
 */
export const releaseOnFailure =
  ({ accountImports, clock }: Pick<Ports, 'accountImports' | 'clock'>, claim: ClaimedAccount) =>
  <A>(work: Work<A>): Work<A> =>
    pipe(
      withThrownAsFailure(work),
      TE.orElse((failure) => {
        const recorded = claim.dryRun ? {} : { failure: { code: codeOf(failure), at: clock.now() } }
        return pipe(
          accountImports.release([{ key: claim.key, token: claim.token, by: claim.by, ...recorded }]),
          TE.mapLeft((releaseFailure) => (failure._tag === 'PortFailure' ? failure : releaseFailure)),
          TE.flatMap(() => TE.left(failure)),
        )
      }),
    )
