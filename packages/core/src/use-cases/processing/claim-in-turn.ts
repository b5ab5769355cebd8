import { E, TE, type TaskEither } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { retryAfterSeconds } from '../refusals.js'
import type { ProcessingRefused } from '../signatures.js'
import type { ClaimedAccount } from './claim-account.js'
import { fairTurns } from './fair-turns.js'

type Refused = ProcessingRefused | PortFailure

const refusal: ProcessingRefused = { _tag: 'ConcurrencyLimitReached', retryAfterSeconds }

/** Claims and works under the claim; where accounts in processing are limited, organisations take turns. */
export const claimInTurn = ({ clock, settings }: Pick<Ports, 'clock' | 'settings'>) => {
  const limit = settings.processingConcurrencyLimit
  const turns = limit === undefined ? undefined : fairTurns(limit, clock)
  return <A>(
    organisation: string,
    claim: TaskEither<Refused, ClaimedAccount>,
    work: (claimed: ClaimedAccount) => TaskEither<Refused, A>,
  ): TaskEither<Refused, A> => {
    if (turns === undefined) return TE.flatMap(work)(claim)
    return async () => {
      if (turns.mustWait(organisation)) {
        turns.refused(organisation)
        return E.left(refusal)
      }
      turns.begun(organisation)
      try {
        const claimed = await claim()
        if (E.isRight(claimed)) {
          turns.served(organisation)
          return await work(claimed.right)()
        }
        if (claimed.left._tag === 'ConcurrencyLimitReached') turns.refused(organisation)
        return claimed
      } finally {
        turns.ended(organisation)
      }
    }
  }
}
