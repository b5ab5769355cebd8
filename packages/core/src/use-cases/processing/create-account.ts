import { accountFromPayload } from '../../domain/account-from-payload.js'
import type { Account } from '../../domain/account.js'
import type { SupplierSettings } from '../../settings/supplier-settings.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import type { AccountPayload } from '../../payloads/account.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { retryAfterSeconds } from '../refusals.js'
import type { ProcessingRefused } from '../signatures.js'
import type { ClaimedAccount } from './claim-account.js'
import { newEmail } from './new-email.js'
import { writeAccounts, type NewAccount, type Written } from './write-accounts.js'
import { writeTogether } from './write-together.js'

type CreationPorts = Pick<
  Ports,
  'accountImports' | 'clock' | 'unitOfWork' | 'platformAccountNumbers' | 'secrets' | 'settings'
>

type Creating<A> = TaskEither<ProcessingRefused | PortFailure, A>

const claimLost = ({ claim: { key } }: NewAccount): Creating<void> =>
  TE.left({ _tag: 'ClaimLost', key, retryAfterSeconds })

/**
 * A claim that is gone may have been ended by this very creation, whose commit was done and reported as failed: then the
 * import has the number that was meant for it, which nobody else has.
 */
const readBack = ({ accountImports }: Pick<Ports, 'accountImports'>, created: NewAccount): Creating<void> =>
  pipe(
    accountImports.find(created.claim.key),
    TE.flatMap((found) =>
      found?.created?.platformAccountNumber === created.account.platformAccountNumber
        ? TE.right(undefined)
        : claimLost(created),
    ),
  )

/** Does all that a creation does, in a unit of work of its own, and ends in a Left, so that nothing is kept. */
const tryOut = ({ unitOfWork }: CreationPorts, created: NewAccount): Creating<void> =>
  unitOfWork.run((stores) =>
    pipe(
      writeAccounts(stores, [created]),
      TE.flatMap(([written]) => (written === 'completed' ? TE.right(undefined) : claimLost(created))),
      TE.flatMap((): Creating<void> => TE.left({ _tag: 'DryRunSucceeded' })),
    ),
  )

/**
 * Creates the account and marks its import created, in one unit of work, with the e-mail to its customers if the
 * supplier's settings want one; with others that are ready at the same moment. A dry run keeps nothing, and no e-mail.
 */
export const createAccount = (ports: CreationPorts) => {
  const write = writeTogether(ports)
  return (
    claim: ClaimedAccount,
    payload: AccountPayload,
    operationsTeam: string,
    supplier: SupplierSettings | undefined,
  ): Creating<Account> =>
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
      TE.tap((account): Creating<void> => {
        if (claim.dryRun) return tryOut(ports, { claim, account, email: undefined })
        const created = { claim, account, email: newEmail(ports)(account, supplier) }
        return pipe(
          write(created),
          TE.flatMap((written: Written) =>
            written === 'completed' ? TE.right(undefined) : readBack(ports, created),
          ),
        )
      }),
    )
}
