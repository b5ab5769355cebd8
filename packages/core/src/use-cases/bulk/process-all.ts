import type { BulkProcessRequest } from '../../payloads/requests.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { Submission } from '../check-payload.js'
import type { ProcessingRefused } from '../errors.js'
import type { processAccount, Processed } from '../processing/process-account.js'
import { type BulkResult, whenASlotIsFree } from './bulk-results.js'
import { inOrder } from '../../concurrency/in-order.js'

/** Once `signal` is aborted no account is begun any more, and the results end with its reason as the thrown value. */
export type BulkProcessing = Submission & Readonly<{ signal?: AbortSignal }>

/** As many as a few batches of a store hold. */
const mostAtOnce = 64

/** Results that are told together: as many as a unit of work creates. */
const mostInPage = 16

export type ProcessResult = BulkResult<ProcessingRefused, Processed> &
  Readonly<{ externalAccountNumber: string }>

export type ProcessRun = Readonly<{
  submission: BulkProcessing
  request: BulkProcessRequest
  /** How many accounts the service may process at once, if there is a limit. */
  limit: number | undefined
  processAccount: ReturnType<typeof processAccount>
}>

/** A list in the form of a stream, each of its members once. */
export async function* eachOnce(numbers: readonly string[]): AsyncGenerator<string> {
  yield* new Set(numbers)
}

/** Nothing is begun for a client that has gone. */
async function* whileWanted(
  numbers: AsyncIterable<string>,
  signal: AbortSignal | undefined,
  isWanted: () => boolean,
): AsyncGenerator<string> {
  for await (const number of numbers) {
    signal?.throwIfAborted()
    if (!isWanted()) return
    yield number
  }
}

/**
 * Each account as the single request would process it, several at one time; `line` is 0 as long as it is not counted. All
 * the staged ones are gone through until their supplier is no longer ongoing.
 */
export const processAll = (
  { submission, request, limit, processAccount }: ProcessRun,
  numbers: AsyncIterable<string>,
): AsyncIterable<readonly ProcessResult[]> => {
  const { external_account_numbers: _, ...shared } = request
  const { organisation, by, signal } = submission
  const isListed = request.external_account_numbers !== undefined
  let isOngoing = true
  const run = async (number: string): Promise<ProcessResult> => {
    const payload = { ...shared, external_account_number: number }
    const outcome = await whenASlotIsFree(processAccount({ organisation, by, payload }), signal)
    if (outcome._tag === 'Left' && outcome.left._tag === 'SupplierNotOngoing') isOngoing = false
    return { line: 0, externalAccountNumber: number, outcome }
  }
  const wanted = whileWanted(numbers, signal, () => isListed || isOngoing)
  return inOrder(wanted, {
    window: { items: Math.min(mostAtOnce, limit ?? mostAtOnce), weight: mostAtOnce },
    mostTogether: mostInPage,
    weightOf: () => 1,
    prepare: run,
    settle: async (page) => page,
  })
}

/** What another server, or the operator, was faster with. */
const settledElsewhere = new Set<(ProcessingRefused | PortFailure)['_tag']>([
  'AccountProcessedElsewhere',
  'ClaimLost',
  'AccountAlreadyImported',
  'AccountMarkedToSkip',
  'NothingStaged',
])

export const isSettledElsewhere = ({ outcome }: ProcessResult): boolean =>
  outcome._tag === 'Left' && settledElsewhere.has(outcome.left._tag)

/** The results that are reported, counted from 1. */
export async function* counted(
  pages: AsyncIterable<readonly ProcessResult[]>,
  isReported: (result: ProcessResult) => boolean,
): AsyncGenerator<readonly ProcessResult[]> {
  let line = 0
  for await (const page of pages) {
    const reported = page.filter(isReported).map((result) => ({ ...result, line: (line += 1) }))
    if (reported.length > 0) yield reported
  }
}
