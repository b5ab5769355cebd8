import { backoff, pause } from '../concurrency/pause.js'
import type { InRun } from '../domain/import-run.js'
import { E, pipe } from '../fp.js'
import { bulkProcessRequest, type BulkProcessRequest } from '../payloads/requests.js'
import type { StagedImport } from '../ports/account-imports.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { Instant } from '../values/instant.js'
import { checkNamedRequest, type Submission } from '../checking/check-payload.js'
import type {
  OperationsTeamDoesNotExist,
  ProcessingRefused,
  RequestFailedValidation,
  SupplierNotOngoing,
  UseCaseResult,
} from '../checking/errors.js'
import { chunksOf, replaced } from '../lists/lists.js'
import { foundIn, onceTaken, pagesOf } from '../lists/pages.js'
import type { Processed } from './accept-requests.js'
import type { Answered, ProcessAccounts, ToProcess } from './process-accounts.js'
import type { BulkResult, BulkResults } from './bulk-submissions.js'

/** The accounts that a store creates in one statement. */
const mostInPage = 64

type LimitPorts = Pick<Ports, 'settings'>

/** The accounts of a bulk request that are processed at one time. */
const mostAtOnce = ({ settings: { processingConcurrencyLimit = mostInPage } }: LimitPorts): number =>
  Math.min(mostInPage, processingConcurrencyLimit)

/** Milliseconds before accounts that the limit refused, or that are processed elsewhere, are tried again. */
const retryWait = { first: 50, longest: 1000 }

const isOverLimit = <Done extends Answered>(done: Done): done is Done =>
  E.isLeft(done.answer) && done.answer.left._tag === 'ConcurrencyLimitReached'

/** Retries, after a pause, those that the limit refused. */
const processRetrying = async <Item extends ToProcess>(
  process: ProcessAccounts,
  items: readonly Item[],
  signal: AbortSignal | undefined,
): Promise<readonly (Item & Answered)[]> => {
  let done = await process(items)
  for (let attempts = 1; done.some(isOverLimit); attempts++) {
    await pause(backoff(attempts, retryWait), signal)
    if (signal?.aborted === true) return done
    done = await replaced(done, isOverLimit, process)
  }
  return done
}

/**
 * Processes accounts, so many at one time as the limit of accounts in processing allows. Requests that the limit refuses, because of
 * other accounts, are tried again; they keep that refusal once the signal is aborted.
 */
export const processWithinLimit = async <Item extends ToProcess>(
  ports: LimitPorts,
  process: ProcessAccounts,
  items: readonly Item[],
  signal: AbortSignal | undefined,
): Promise<readonly (Item & Answered)[]> => {
  const done: (Item & Answered)[] = []
  for (const some of chunksOf(items, mostAtOnce(ports)))
    done.push(...(await processRetrying(process, some, signal)))
  return done
}

/**
 * After `signal` is aborted no account is begun, and the iteration throws its reason. `pace`: called with the number of results
 * after the caller took them; the next are requested after it resolves.
 */
export type BulkProcessing = Submission &
  InRun &
  Readonly<{ signal?: AbortSignal; pace?: ((results: number) => Promise<void>) | undefined }>

/** A reason that would refuse every account of a bulk request refuses the whole request. */
export type BulkProcessRefused = RequestFailedValidation | SupplierNotOngoing | OperationsTeamDoesNotExist

/** The outcome of an account that was processed, which may be reported, or tried again later. */
type Processing = Omit<BulkResult<ProcessingRefused, Processed>, 'line' | 'externalAccountNumber'> &
  Readonly<{ externalAccountNumber: string }>

const refusalIn = ({ outcome }: Processing): (ProcessingRefused | PortFailure)['_tag'] | undefined =>
  outcome._tag === 'Left' ? outcome.left._tag : undefined

/** Whether another request processes the account. */
const mayBeElsewhere = (each: Processing): boolean =>
  ['AccountProcessedElsewhere', 'ClaimLost'].includes(refusalIn(each) ?? '')

/** Whether another request or the operator changed the account first. */
const isChangedElsewhere = (each: Processing): boolean =>
  mayBeElsewhere(each) ||
  ['AccountAlreadyImported', 'AccountMarkedToSkip', 'NothingStaged'].includes(refusalIn(each) ?? '')

type BulkProcessPorts = Pick<
  Ports,
  'importSuppliers' | 'operationsTeams' | 'accountImports' | 'clock' | 'settings'
>

/** `named`: the accounts of the request, each once; absent for all that are staged. */
type BulkContext = Readonly<{
  ports: BulkProcessPorts
  processAccounts: ProcessAccounts
  submission: BulkProcessing
  request: BulkProcessRequest
  named: ReadonlySet<string> | undefined
  begun: Instant
}>

/** Most numbers that are read at one time: whole pages of processing. */
const mostNumbers = 15 * mostInPage

/**
 * The numbers of all staged accounts in the order of staging, in constant memory, without accounts that are staged for the first time
 * after the request began, so that the iteration ends. Throws the failure of a failing store.
 */
async function* stagedNumbers({
  ports: { accountImports },
  submission: { organisation },
  request: { import_supplier_code: importSupplier },
  begun: until,
}: BulkContext): AsyncGenerator<readonly string[]> {
  const pages = pagesOf<StagedImport>(
    (after, limit) =>
      accountImports.stagedPage({ organisation, importSupplier, until, ...(after && { after }), limit }),
    mostNumbers,
  )
  for await (const page of pages)
    yield foundIn(page).map(({ externalAccountNumber }) => externalAccountNumber)
}

/** Processes each account as a single request would. */
async function* processEach(
  { ports, processAccounts: process, submission, request }: BulkContext,
  numbers: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): AsyncGenerator<readonly Processing[]> {
  const { external_account_numbers: _, ...shared } = request
  const { organisation, by, run, signal } = submission
  for await (const page of numbers)
    for (const some of chunksOf(page, mostAtOnce(ports))) {
      signal?.throwIfAborted()
      const accounts = some.map((externalAccountNumber) => {
        const payload = { ...shared, external_account_number: externalAccountNumber }
        return { externalAccountNumber, request: { organisation, by, run, payload } }
      })
      const done = await processWithinLimit(ports, process, accounts, signal)
      yield done.map(({ externalAccountNumber, answer: outcome }) => ({ externalAccountNumber, outcome }))
    }
}

/** More accounts than a server that died can have claimed. A running server ends its claims. */
const mostRemembered = 10_000

/**
 * The results of named accounts; or those of all staged accounts until their supplier is no longer ongoing. Accounts that another
 * request was processing are then tried again after a pause, until they are settled or their claims have expired: accounts that a
 * dead server had claimed belong to this request too. Results are counted from 1.
 */
async function* resultsOf(
  context: BulkContext,
): AsyncGenerator<readonly BulkResult<ProcessingRefused, Processed>[]> {
  const { ports, submission, named } = context
  let line = 0
  let numbers: AsyncIterable<readonly string[]> | Iterable<readonly string[]> =
    named === undefined ? stagedNumbers(context) : [[...named]]
  // A pause is half a second or more after the first few, so the rounds last longer than a claim until it expires.
  const mostRounds = named === undefined ? 2 * ports.settings.processingClaimSeconds + 10 : 1
  for (let round = 0; round < mostRounds; round++) {
    if (round > 0) await pause(backoff(round, retryWait), submission.signal)
    const elsewhere: string[] = []
    for await (const page of processEach(context, numbers)) {
      const left = page.filter(mayBeElsewhere).map(({ externalAccountNumber: number }) => number)
      elsewhere.push(...left.slice(0, mostRemembered - elsewhere.length))
      const reported = named === undefined ? page.filter((each) => !isChangedElsewhere(each)) : page
      if (reported.length > 0) yield reported.map((result) => ({ ...result, line: (line += 1) }))
      if (named === undefined && page.some((each) => refusalIn(each) === 'SupplierNotOngoing')) return
    }
    if (elsewhere.length === 0) return
    numbers = [elsewhere]
  }
}

/** The request, if its supplier is ongoing and its team exists, so that a reason to refuse every account is reported once. */
const acceptedRequest = async (
  ports: BulkProcessPorts,
  submission: BulkProcessing,
): UseCaseResult<BulkProcessRefused, BulkProcessRequest> => {
  const checked = await checkNamedRequest(ports, bulkProcessRequest)(submission)
  if (E.isLeft(checked)) return checked
  const { request, supplier } = checked.right
  if (supplier.status !== 'ongoing') return E.left({ _tag: 'SupplierNotOngoing' })
  const exists = await ports.operationsTeams.exists(request.operations_team_name, submission.organisation)
  if (E.isLeft(exists)) return exists
  return exists.right ? E.right(request) : E.left({ _tag: 'OperationsTeamDoesNotExist' })
}

/** Creates accounts from their staged data, each as a single request would (docs/reference/api.md#bulk-requests). */
export const bulkProcess =
  (ports: BulkProcessPorts, process: ProcessAccounts) =>
  async (
    submission: BulkProcessing,
  ): UseCaseResult<BulkProcessRefused, BulkResults<ProcessingRefused, Processed>> =>
    pipe(
      await acceptedRequest(ports, submission),
      E.map((request) => {
        const { external_account_numbers: listed } = request
        const named = listed === undefined ? undefined : new Set(listed)
        const begun = ports.clock.now()
        const results = resultsOf({ ports, processAccounts: process, submission, request, named, begun })
        return onceTaken(results, async (page) => submission.pace?.(page.length))
      }),
    )
