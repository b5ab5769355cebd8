import type { AccountKey } from '../../domain/account-key.js'
import { refusalOf } from '../../domain/account-import.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { processingRefusal } from '../refusals.js'
import type { ProcessingRefused } from '../signatures.js'
import type { CheckedRequest } from '../check-process-request.js'

/** What stands in the way of processing, by the order in docs/reference/api.md#answers: the first answers alone. */
export const refuseUnprocessable =
  ({ accountImports, operationsTeams, clock }: Pick<Ports, 'accountImports' | 'operationsTeams' | 'clock'>) =>
  (
    key: AccountKey,
    { request, supplier }: CheckedRequest,
  ): TaskEither<ProcessingRefused | PortFailure, void> =>
    pipe(
      accountImports.find(key),
      TE.flatMap((found): TaskEither<ProcessingRefused | PortFailure, boolean> => {
        const refusal = found && refusalOf(found, clock.now())
        if (refusal) return TE.left(processingRefusal(refusal, key.externalAccountNumber))
        if (supplier?.status !== 'ongoing') return TE.left({ _tag: 'SupplierNotOngoing' })
        if (found === undefined || found.stagedVersion === 0) return TE.left({ _tag: 'NothingStaged' })
        return operationsTeams.exists(request.operations_team_name)
      }),
      TE.flatMap((teamExists) =>
        teamExists ? TE.right(undefined) : TE.left({ _tag: 'OperationsTeamDoesNotExist' as const }),
      ),
    )
