import { pipe, type TaskEither, TE } from '../../fp.js'
import { bulkProcessRequest, type BulkProcessRequest } from '../../payloads/requests.js'
import type { AccountImports, StagedPageRequest } from '../../ports/account-imports.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { checkProcessRequest } from '../check-payload.js'
import type {
  OperationsTeamDoesNotExist,
  ProcessingRefused,
  RequestFailedValidation,
  SupplierNotOngoing,
  UseCaseResult,
} from '../errors.js'
import type { Processed } from '../processing/process-account.js'
import { type BulkResults, pauseAfter, untilAway } from './bulk-results.js'
import {
  type BulkProcessing,
  counted,
  eachOnce,
  isSettledElsewhere,
  processAll,
  type ProcessResult,
  type ProcessRun,
} from './process-all.js'

/** A reason that would refuse every account of a bulk request refuses the whole request. */
export type BulkProcessRefused = RequestFailedValidation | SupplierNotOngoing | OperationsTeamDoesNotExist

const pageSize = 1000

type StagedNumbersRequest = Omit<StagedPageRequest, 'after' | 'limit'>

/**
 * The account numbers that are staged, the one that was staged first at first, in constant memory. What is staged for
 * the first time after `until` is left out, so there is an end. A failing store ends it with its failure as the thrown value.
 */
async function* stagedNumbers(
  accountImports: AccountImports,
  request: StagedNumbersRequest,
): AsyncGenerator<string> {
  let from: StagedPageRequest = { ...request, limit: pageSize }
  for (;;) {
    const page = await accountImports.stagedPage(from)()
    if (page._tag === 'Left') throw page.left
    for (const { externalAccountNumber } of page.right) yield externalAccountNumber
    const last = page.right[pageSize - 1]
    if (last === undefined) return
    from = { ...from, after: last }
  }
}

/** More than a server that died can have left behind. What one that lives has claimed, it also ends. */
const mostRemembered = 10_000

const isElsewhere = ({ outcome }: ProcessResult): boolean =>
  outcome._tag === 'Left' && outcome.left._tag === 'AccountProcessedElsewhere'

/**
 * All staged accounts; then again those that somebody else was processing, after a pause, until they are settled or their
 * claims have expired: a server that died leaves claims, and what it had claimed belongs to this run too.
 */
async function* processStaged(
  run: ProcessRun,
  staged: AsyncIterable<string>,
  claimSeconds: number,
): AsyncGenerator<readonly ProcessResult[]> {
  let numbers = staged
  // A pause is half a second or more after the first few, so this is longer than a claim that nobody ends.
  for (let round = 0; round < 2 * claimSeconds + 10; round++) {
    const elsewhere: string[] = []
    for await (const page of processAll(run, numbers)) {
      for (const result of page)
        if (isElsewhere(result) && elsewhere.length < mostRemembered)
          elsewhere.push(result.externalAccountNumber)
      yield page
    }
    if (elsewhere.length === 0) break
    await pauseAfter(round, run.submission.signal)
    numbers = eachOnce(elsewhere)
  }
}

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
      ({ supplier }) => supplier.status === 'ongoing',
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
  (ports: BulkProcessPorts, { processAccount }: Pick<ProcessRun, 'processAccount'>) =>
  (
    submission: BulkProcessing,
  ): UseCaseResult<BulkProcessRefused, BulkResults<ProcessingRefused, Processed>> =>
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
