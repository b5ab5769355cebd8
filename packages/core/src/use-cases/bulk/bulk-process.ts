import { pipe, TE, type TaskEither } from '../../fp.js'
import { bulkProcessRequest, type BulkProcessRequest } from '../../payloads/bulk-process-request.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { checkProcessRequest } from '../check-process-request.js'
import type { BulkProcessing, BulkProcessRefused, UseCases } from '../signatures.js'
import { counted, eachOnce, isSettledElsewhere, processAll } from './process-all.js'
import { processStaged } from './process-staged.js'
import { stagedNumbers } from './staged-numbers.js'
import { untilAway } from './until-away.js'

type BulkProcessPorts = Pick<
  Ports,
  'importSuppliers' | 'operationsTeams' | 'accountImports' | 'clock' | 'settings'
>

/** The request, if its supplier is ongoing and its team exists: what would refuse every account is refused once. */
const acceptedRequest = (
  ports: BulkProcessPorts,
  submission: BulkProcessing,
): TaskEither<BulkProcessRefused | PortFailure, BulkProcessRequest> =>
  pipe(
    checkProcessRequest(ports, bulkProcessRequest)(submission),
    TE.filterOrElseW(
      ({ supplier }) => supplier?.status === 'ongoing',
      (): BulkProcessRefused => ({ _tag: 'SupplierNotOngoing' }),
    ),
    TE.map(({ request }) => request),
    TE.tap(({ operations_team_name }) =>
      pipe(
        ports.operationsTeams.exists(operations_team_name, submission.organisation),
        TE.filterOrElseW(
          (exists) => exists,
          (): BulkProcessRefused => ({ _tag: 'OperationsTeamDoesNotExist' }),
        ),
      ),
    ),
  )

/** Creates accounts from their staged data, each as a single request would (docs/reference/api.md#bulk-requests). */
export const bulkProcess =
  (ports: BulkProcessPorts, { processAccount }: Pick<UseCases, 'processAccount'>): UseCases['bulkProcess'] =>
  (submission) =>
    pipe(
      acceptedRequest(ports, submission),
      TE.map((request) => {
        const { import_supplier_code: importSupplier, external_account_numbers: named } = request
        const { processingConcurrencyLimit: limit, processingClaimSeconds } = ports.settings
        const run = { submission, request, limit, processAccount }
        if (named !== undefined) return untilAway(counted(processAll(run, eachOnce(named)), () => true))
        const { organisation } = submission
        const staged = stagedNumbers(ports.accountImports, {
          organisation,
          importSupplier,
          until: ports.clock.now(),
        })
        const results = processStaged(run, staged, processingClaimSeconds)
        return untilAway(counted(results, (result) => !isSettledElsewhere(result)))
      }),
    )
