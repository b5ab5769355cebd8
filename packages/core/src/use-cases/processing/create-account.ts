import { accountFromPayload } from '../../domain/account-from-payload.js'
import type { Account } from '../../domain/account.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import type { AccountPayload } from '../../payloads/account.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { onlyOutcome } from '../only-outcome.js'
import { retryAfterSeconds } from '../refusals.js'
import type { ProcessingRefused } from '../signatures.js'
import type { ClaimedAccount } from './claim-account.js'

/**
 * Creates the account and marks its import created, in one unit of work. The claim is given up first: if
 * another process has taken it over, nothing else is written. A dry run does all of it and ends in a Left.
 */
export const createAccount =
  ({
    clock,
    unitOfWork,
    platformAccountNumbers,
  }: Pick<Ports, 'clock' | 'unitOfWork' | 'platformAccountNumbers'>) =>
  (
    claim: ClaimedAccount,
    payload: AccountPayload,
    operationsTeam: string,
  ): TaskEither<ProcessingRefused | PortFailure, Account> =>
    pipe(
      platformAccountNumbers.next(),
      TE.map((platformAccountNumber): Account => {
        const createdAt = clock.now()
        const details = accountFromPayload(payload, createdAt)
        return {
          key: claim.key,
          platformAccountNumber,
          operationsTeam,
          stagedVersion: claim.version,
          createdAt,
          details,
        }
      }),
      TE.flatMap((account) =>
        unitOfWork.run(({ accountImports, accounts }) =>
          pipe(
            accountImports.complete([
              {
                key: claim.key,
                token: claim.token,
                platformAccountNumber: account.platformAccountNumber,
                at: account.createdAt,
              },
            ]),
            onlyOutcome,
            TE.filterOrElseW(
              (outcome) => outcome === 'completed',
              (): ProcessingRefused => ({ _tag: 'ClaimLost', key: claim.key, retryAfterSeconds }),
            ),
            TE.flatMap(() => accounts.create([account])),
            TE.filterOrElseW(
              () => !claim.dryRun,
              (): ProcessingRefused => ({ _tag: 'DryRunSucceeded' }),
            ),
            TE.map(() => account),
          ),
        ),
      ),
    )
