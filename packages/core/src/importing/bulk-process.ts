import { pause } from '../concurrency/pause.js'
import type { InRun } from '../domain/import-run.js'
import { E, pipe } from '../fp.js'
import { bulkProcessRequest, type BulkProcessRequest } from '../payloads/requests.js'
import type { AccountImports, StagedImport, StagedPageRequest } from '../ports/account-imports.js'
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
import { type BulkResult, type BulkResults, outageLimit } from './bulk-submissions.js'

/** The accounts that a store creates in one statement. */
const mostInPage = 64

type LimitPorts = Pick<Ports, 'settings'>

/** The accounts of a bulk request that are processed at one time. */
const mostAtOnce = ({ settings: { processingConcurrencyLimit = mostInPage } }: LimitPorts): number =>
  Math.min(mostInPage, processingConcurrencyLimit)

const firstMilliseconds = 50
const longestMilliseconds = 1000

/** Waits before the next attempt: exponential backoff up to a second, with jitter. Ends at once when the signal is aborted. */
const pauseAfter = (attempts: number, signal: AbortSignal | undefined): Promise<void> =>
  pause(Math.min(longestMilliseconds, firstMilliseconds * 2 ** attempts) * (0.5 + Math.random()), signal)

const isOverLimit = <Done extends Answered>(done: Done): done is Done =>
  E.isLeft(done.answer) && done.answer.left._tag === 'ConcurrencyLimitReached'

/** Retries, after a pause, those that the limit refused. */
const processAtOnce = async <Item extends ToProcess>(
  process: ProcessAccounts,
  items: readonly Item[],
  signal: AbortSignal | undefined,
): Promise<readonly (Item & Answered)[]> => {
  let done = await process(items)
  for (let attempts = 0; done.some(isOverLimit); attempts++) {
    await pauseAfter(attempts, signal)
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
    done.push(...(await processAtOnce(process, some, signal)))
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
type Processing = Omit<BulkResult<ProcessingRefused, Processed>, 'line'> &
  Readonly<{ externalAccountNumber: string }>

type Tag = (ProcessingRefused | PortFailure)['_tag']

const refusalIn = ({ outcome }: Processing): Tag | undefined =>
  outcome._tag === 'Left' ? outcome.left._tag : undefined

/** Refusals because another request or the operator changed the account first. */
const changedElsewhere: ReadonlySet<Tag | undefined> = new Set([
  'AccountProcessedElsewhere',
  'ClaimLost',
  'AccountAlreadyImported',
  'AccountMarkedToSkip',
  'NothingStaged',
])

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

/** The numbers in pages; under a limit no page is larger. */
async function* pagesOfNumbers(
  numbers: AsyncIterable<string> | Iterable<string>,
  most: number,
): AsyncGenerator<readonly string[]> {
  let page: string[] = []
  for await (const number of numbers) {
    page.push(number)
    if (page.length < most) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Each account as the single request would process it, page by page. */
async function* processEach(
  { ports, processAccounts: process, submission, request }: BulkContext,
  numbers: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<readonly Processing[]> {
  const { external_account_numbers: _, ...shared } = request
  const { organisation, by, run, signal } = submission
  for await (const page of pagesOfNumbers(numbers, mostAtOnce(ports))) {
    signal?.throwIfAborted()
    const accounts = page.map((externalAccountNumber) => ({
      externalAccountNumber,
      request: {
        organisation,
        by,
        run,
        payload: { ...shared, external_account_number: externalAccountNumber },
      },
    }))
    const done = await processWithinLimit(ports, process, accounts, signal)
    yield done.map(({ externalAccountNumber, answer }) => ({
      line: 0,
      externalAccountNumber,
      outcome: answer,
    }))
  }
}

const pageSize = 1000

/**
 * The numbers of the staged accounts in the order of staging, in constant memory, as long as `isWanted`. Accounts that are staged
 * for the first time after `request.until` are left out, so that the iteration ends. It throws the failure of a failing store.
 */
async function* stagedNumbers(
  accountImports: AccountImports,
  request: Omit<StagedPageRequest, 'after' | 'limit'>,
  isWanted: () => boolean,
): AsyncGenerator<string> {
  const pages = pagesOf<StagedImport>(
    (after, limit) => accountImports.stagedPage({ ...request, ...(after && { after }), limit }),
    pageSize,
  )
  for await (const page of pages)
    for (const { externalAccountNumber } of foundIn(page)) {
      if (!isWanted()) return
      yield externalAccountNumber
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
  const { ports, submission, request, named } = context
  const { organisation, signal } = submission
  let isOngoing = true
  const staged = { organisation, importSupplier: request.import_supplier_code, until: context.begun }
  let numbers: AsyncIterable<string> | Iterable<string> =
    named ?? stagedNumbers(ports.accountImports, staged, () => isOngoing)
  let line = 0
  // A pause is half a second or more after the first few, so the rounds last longer than a claim until it expires.
  const mostRounds = named === undefined ? 2 * ports.settings.processingClaimSeconds + 10 : 1
  let isAgain: boolean
  let round = 0
  do {
    const elsewhere: string[] = []
    for await (const page of processEach(context, numbers)) {
      const reported: BulkResult<ProcessingRefused, Processed>[] = []
      for (const result of page) {
        const refusal = refusalIn(result)
        if (refusal === 'SupplierNotOngoing') isOngoing = false
        const isElsewhere = refusal === 'AccountProcessedElsewhere' || refusal === 'ClaimLost'
        if (isElsewhere && elsewhere.length < mostRemembered) elsewhere.push(result.externalAccountNumber)
        if (named === undefined && changedElsewhere.has(refusal)) continue
        line += 1
        reported.push({ ...result, line })
      }
      if (reported.length > 0) yield reported
    }
    isAgain = elsewhere.length > 0 && isOngoing && round + 1 < mostRounds
    if (isAgain) await pauseAfter(round, signal)
    numbers = elsewhere
    round += 1
  } while (isAgain)
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
        const stopAtOutage = outageLimit()
        return onceTaken(results, async (page) => {
          stopAtOutage(page)
          await submission.pace?.(page.length)
        })
      }),
    )
