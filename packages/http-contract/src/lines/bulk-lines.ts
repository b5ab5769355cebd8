import type { BulkResult, BulkResults, WithWarnings } from '@account-import/core'
import type { Answer } from '../call.js'
import { problemOf, type Refusal } from '../problems/problem-of.js'
import type { WrittenBody } from '../problems/problem.js'
import type { BulkResultLine, BulkSummaryLine } from './lines.js'

type BulkLine = BulkResultLine | BulkSummaryLine
export type BulkSuccess = 'created' | 'updated' | 'valid'

/** How a success is told: what it counts as, with the status of the single request. */
type Told = Readonly<{ countsAs: BulkSuccess; status: number; platform_account_number?: string }>

/** How the accounts of one kind of request are told; `counts`: what a success can count as. */
export type Telling<A> = Readonly<{ counts: readonly BulkSuccess[]; tell: (done: A) => Told }>

export type BulkCounts = Record<'received' | 'failed', number> & Partial<Record<BulkSuccess, number>>

/**
 * Results to be answered. `counts` is counted up as they are written, `noteProblem` is told of each account that failed;
 * `requestId` is shown where the service itself is at fault.
 */
export type BulkToAnswer<Refused, A> = Readonly<{
  results: BulkResults<Refused, A>
  counts: BulkCounts
  noteProblem: (problem: WrittenBody) => void
  requestId: string
}>

const dryRunSucceeded: Told = { countsAs: 'valid', status: 200 }

const warningsOf = (told: object): Pick<BulkResultLine, 'warnings'> =>
  'warnings' in told && Array.isArray(told.warnings) && told.warnings.length > 0
    ? { warnings: told.warnings.length }
    : {}

/** Writes the lines of one answer, and counts. */
class BulkWriter<A extends WithWarnings> {
  private readonly counts: BulkCounts
  private readonly noteProblem: (problem: WrittenBody) => void
  private readonly requestId: string
  private readonly telling: Telling<A>

  constructor(
    { counts, noteProblem, requestId }: Omit<BulkToAnswer<never, A>, 'results'>,
    telling: Telling<A>,
  ) {
    this.counts = counts
    this.noteProblem = noteProblem
    this.requestId = requestId
    this.telling = telling
  }

  get summary(): BulkSummaryLine {
    const { received, failed } = this.counts
    const succeeded = this.telling.counts.map((name) => [name, this.counts[name] ?? 0])
    return { summary: { received, ...(Object.fromEntries(succeeded) as Partial<BulkCounts>), failed } }
  }

  lineOf(result: BulkResult<Refusal, A>): BulkResultLine {
    const { line, externalAccountNumber, outcome } = result
    const number =
      externalAccountNumber === undefined ? {} : { external_account_number: externalAccountNumber }
    const told = outcome._tag === 'Right' ? outcome.right : outcome.left
    this.counts.received += 1
    return { line, ...number, ...this.told(outcome), ...warningsOf(told) }
  }

  private told(outcome: BulkResult<Refusal, A>['outcome']): Omit<BulkResultLine, 'line'> {
    if (outcome._tag === 'Right') return this.succeeded(this.telling.tell(outcome.right))
    if (outcome.left._tag === 'DryRunSucceeded') return this.succeeded(dryRunSucceeded)
    this.counts.failed += 1
    const { status, body } = problemOf(outcome.left, this.requestId)
    this.noteProblem(body)
    return { status, error: body }
  }

  private succeeded({ countsAs, ...told }: Told): Omit<Told, 'countsAs'> {
    this.counts[countsAs] = (this.counts[countsAs] ?? 0) + 1
    return told
  }
}

/** A line for each result, and after the last of them the summary. */
async function* linesOf<Refused extends Refusal, A extends WithWarnings>(
  done: BulkToAnswer<Refused, A>,
  telling: Telling<A>,
): AsyncGenerator<readonly BulkLine[]> {
  const writer = new BulkWriter(done, telling)
  for await (const page of done.results) yield page.map((result) => writer.lineOf(result))
  yield [writer.summary]
}

/** Each refusal has the status and body that it has as the answer to a single request. */
export const bulkAnswer = <Refused extends Refusal, A extends WithWarnings>(
  done: BulkToAnswer<Refused, A>,
  telling: Telling<A>,
): Answer<AsyncIterable<readonly BulkLine[]>, 200> => ({
  status: 200,
  headers: {},
  body: linesOf(done, telling),
})
