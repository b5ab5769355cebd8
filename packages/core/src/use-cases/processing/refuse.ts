import type { AccountKey } from '../../domain/account-key.js'
import { refusalOf } from '../../domain/account-import.js'
import type { ImportSupplier } from '../../domain/import-supplier.js'
import { pipe, TE, type Either, type TaskEither } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { processingRefusal } from '../refusals.js'
import type { ProcessingRefused } from '../signatures.js'

type Refused = TaskEither<ProcessingRefused | PortFailure, never>

/** The first of the reasons not to process, by the order in docs/reference/api.md#answers. */
const firstRefusal = (
  { accountImports, clock }: Pick<Ports, 'accountImports' | 'clock'>,
  key: AccountKey,
  supplier: ImportSupplier | undefined,
): Refused =>
  pipe(
    accountImports.find(key),
    TE.flatMap((found): Refused => {
      const refusal = found && refusalOf(found, clock.now())
      if (refusal) return TE.left(processingRefusal(refusal, key.externalAccountNumber))
      if (supplier?.status !== 'ongoing') return TE.left({ _tag: 'SupplierNotOngoing' })
      if (found === undefined || found.stagedVersion === 0) return TE.left({ _tag: 'NothingStaged' })
      return TE.left({ _tag: 'OperationsTeamDoesNotExist' })
    }),
  )

/**
 * Refuses before anything is claimed where the supplier or the team stands in the way. What the import says by itself
 * comes before these, but where they are as they should be the claim says it too: only else the import is looked at.
 */
export const refuseUnprocessable =
  (ports: Pick<Ports, 'accountImports' | 'clock'>) =>
  (
    key: AccountKey,
    supplier: ImportSupplier | undefined,
    team: Either<PortFailure, boolean>,
  ): TaskEither<ProcessingRefused | PortFailure, void> => {
    if (supplier?.status !== 'ongoing') return firstRefusal(ports, key, supplier)
    return pipe(
      TE.fromEither(team),
      TE.flatMap((exists): TaskEither<ProcessingRefused | PortFailure, void> =>
        exists ? TE.right(undefined) : firstRefusal(ports, key, supplier),
      ),
    )
  }
