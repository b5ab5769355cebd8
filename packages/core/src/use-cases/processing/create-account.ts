import { accountFromPayload } from '../../domain/account-from-payload.js'
import type { Account } from '../../domain/account.js'
import type { SupplierSettings } from '../../settings/supplier-settings.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import type { AccountPayload } from '../../payloads/account.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { onlyOutcome } from '../only-outcome.js'
import { retryAfterSeconds } from '../refusals.js'
import type { ProcessingRefused } from '../signatures.js'
import type { ClaimedAccount } from './claim-account.js'
import { enqueueEmail } from './enqueue-email.js'

type CreationPorts = Pick<Ports, 'clock' | 'unitOfWork' | 'platformAccountNumbers' | 'secrets' | 'settings'>

/**
 * Creates the account and marks its import created, in one unit of work, with the e-mail to its customers if the
 * supplier's settings want one. The claim is ended first: if another process has taken it over, nothing is written. A
 * dry run does all of it and ends in a Left, so that nothing is kept.
 */
export const createAccount =
  (ports: CreationPorts) =>
  (
    claim: ClaimedAccount,
    payload: AccountPayload,
    operationsTeam: string,
    supplier: SupplierSettings | undefined,
  ): TaskEither<ProcessingRefused | PortFailure, Account> =>
    pipe(
      ports.platformAccountNumbers.next(),
      TE.map((platformAccountNumber): Account => {
        const createdAt = ports.clock.now()
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
        ports.unitOfWork.run(({ accountImports, accounts, outbox }) =>
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
            TE.flatMap(() => enqueueEmail(ports)(outbox, account, supplier)),
            TE.map(() => account),
          ),
        ),
      ),
    )
