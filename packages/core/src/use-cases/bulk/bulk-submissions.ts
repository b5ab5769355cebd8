import { inPages } from '../../concurrency/pages.js'
import type { Actor } from '../../domain/audit-entry.js'
import type { InRun, OpenRun } from '../../domain/import-run.js'
import { E, type Either, pipe } from '../../fp.js'
import { externalAccountNumber } from '../../payloads/identifiers.js'
import { isPortFailure, type PortFailure } from '../../ports/port-failure.js'
import { readField } from '../../validation/check.js'
import type { SentPayload, Submission, WithWarnings } from '../check-payload.js'
import type { AccountFailedValidation, UseCaseResult } from '../errors.js'
import { forRights } from '../lists.js'
import {
  type AcceptedStaging,
  acceptStaging,
  type Staged,
  type StagePorts,
  type StagingRefused,
  storeStagings,
} from '../stage-accounts.js'
import type { StagingForecast, validateAccount } from '../validate-account.js'

/** Why a line is no JSON value, as the reader of the stream found. */
export type LineUnreadable =
  | Readonly<{ _tag: 'NotUtf8' | 'NotJson' | 'PayloadTooDeep' }>
  | Readonly<{ _tag: 'PayloadTooLarge'; limitBytes: number; wrong?: 'ratio' | 'blank_lines' }>

/**
 * The outcome of one account. `line`: the number of its line, or the ordinal of the result if there are no lines.
 * `externalAccountNumber` is undefined if it cannot be read.
 */
export type BulkResult<Refused, A> = Readonly<{
  line: number
  externalAccountNumber: string | undefined
  outcome: Either<Refused | PortFailure, A>
}>

/** Results in order, all that are ready together. */
export type BulkResults<Refused, A> = AsyncIterable<readonly BulkResult<Refused, A>[]>

/** Two windows: one short outage may make a whole window fail. */
const most = 256

type Tagged = Readonly<{ _tag: string }>

const outageIn = <Refused extends Tagged, A>({ outcome }: BulkResult<Refused, A>): PortFailure | undefined =>
  outcome._tag === 'Left' && isPortFailure(outcome.left) && outcome.left.kind === 'unavailable'
    ? outcome.left
    : undefined

/**
 * To be called with the results that were returned. After 256 results in a row that failed because a port was unavailable, it
 * throws that failure: the remaining lines are better sent again later.
 */
export const outageLimit = (): ((results: readonly BulkResult<Tagged, unknown>[]) => void) => {
  let inARow = 0
  return (results) => {
    for (const result of results) {
      const outage = outageIn(result)
      inARow = outage === undefined ? 0 : inARow + 1
      if (inARow >= most) throw outage
    }
  }
}

/** Works on one line without delaying others, such as in another thread. Neither function rejects. */
export type LineElsewhere = Readonly<{
  bulkValidate(): Promise<
    BulkResult<AccountFailedValidation | LineUnreadable, StagingForecast & WithWarnings>
  >
  bulkStage(run: OpenRun | undefined): Promise<BulkResult<StagingRefused | LineUnreadable, Staged>>
}>

/**
 * One line of a stream. `line`: its number, from 1, counting blank lines; `bytes`: its length. A long line is parsed `elsewhere`:
 * as its account is unknown, it is processed after all lines before it and before all lines after it. `done` is called once, when
 * the line is no longer needed.
 */
export type BulkLine = Readonly<{ line: number; bytes: number; done?: () => void }> &
  (Readonly<{ json: Either<LineUnreadable, SentPayload> }> | Readonly<{ elsewhere: LineElsewhere }>)

/** The organisation of the client's token, and a stream of lines, each an unchecked payload. */
export type BulkSubmission = Readonly<{
  organisation: string
  lines: AsyncIterable<BulkLine> | Iterable<BulkLine>
  by?: Actor | undefined
}>

/** Two full pages of a store; the size, in bytes, bounds the memory of long lines, whose parsed payloads are larger still. */
const ahead = { items: 128, size: 2_097_152 }

/** The accounts that a store takes in one statement. */
const mostInPage = 64

const numberOf = (sent: BulkLine): string | undefined =>
  'elsewhere' in sent || sent.json._tag === 'Left'
    ? undefined
    : readField(externalAccountNumber, sent.json.right.payload, 'external_account_number')

/**
 * The work for lines of one kind: `check` for each line, beside the work of others; then `finish` for the lines of a page that
 * `check` accepted, which answers each.
 */
export type LineWork<Accepted, Refused, A> = Readonly<{
  check(submission: Submission & InRun): Promise<Either<Refused | PortFailure, Accepted>>
  finish(accepted: readonly Accepted[]): Promise<readonly Either<Refused | PortFailure, A>[]>
  elsewhere(line: LineElsewhere): Promise<BulkResult<Refused | LineUnreadable, A>>
}>

type Place = Readonly<{
  line: number
  externalAccountNumber: string | undefined
  done: BulkLine['done'] | undefined
}>

/** A line after `check`, which keeps no parsed payload. */
type CheckedLine<Accepted, Refused> = Place &
  Readonly<{ checked: Either<Refused | LineUnreadable | PortFailure, Accepted> }>

/** Lines of one page; or a line that is worked on elsewhere, which is a page of its own. */
type PreparedLine<Accepted, Refused> =
  | CheckedLine<Accepted, Refused>
  | (Place & Readonly<{ elsewhere: LineElsewhere }>)

/** Does the work of a single request for each line that is JSON; lines of one account number one after the other. */
export async function* eachLine<Accepted, Refused extends Readonly<{ _tag: string }>, A>(
  { organisation, lines, by, run }: BulkSubmission & InRun,
  { check, finish, elsewhere }: LineWork<Accepted, Refused, A>,
): AsyncGenerator<readonly BulkResult<Refused | LineUnreadable, A>[]> {
  const prepare = async (sent: BulkLine): Promise<PreparedLine<Accepted, Refused>> => {
    const shared = { line: sent.line, done: sent.done, externalAccountNumber: numberOf(sent) }
    if ('elsewhere' in sent) return { ...shared, elsewhere: sent.elsewhere }
    const { json } = sent
    return {
      ...shared,
      checked: E.isLeft(json) ? json : await check({ organisation, by, run, ...json.right }),
    }
  }
  const resultsOf = async (
    page: readonly PreparedLine<Accepted, Refused>[],
  ): Promise<readonly BulkResult<Refused | LineUnreadable, A>[]> => {
    const [first] = page
    if (first !== undefined && 'elsewhere' in first)
      return [{ ...(await elsewhere(first.elsewhere)), line: first.line }]
    const together = page as readonly CheckedLine<Accepted, Refused>[]
    const outcomes = await forRights(
      together.map(({ checked }) => checked),
      finish,
    )
    return outcomes.map((outcome, index) => {
      const { line, externalAccountNumber: number } = together[index] as Place
      return { line, externalAccountNumber: number, outcome }
    })
  }
  const stopAtOutage = outageLimit()
  const pages = inPages(lines, {
    ahead,
    most: mostInPage,
    sizeOf: ({ bytes }) => bytes,
    nameOf: numberOf,
    standsAlone: (sent) => 'elsewhere' in sent,
    prepare,
  })
  for await (const page of pages) {
    let results: readonly BulkResult<Refused | LineUnreadable, A>[]
    try {
      results = await resultsOf(page)
    } finally {
      for (const { done } of page) done?.()
    }
    yield results
    stopAtOutage(results)
  }
}

/** Validates each line as a single request would. */
export const bulkValidate =
  ({ validateAccount: validate }: Readonly<{ validateAccount: ReturnType<typeof validateAccount> }>) =>
  async (
    sent: BulkSubmission,
  ): UseCaseResult<
    never,
    BulkResults<AccountFailedValidation | LineUnreadable, StagingForecast & WithWarnings>
  > =>
    E.right(
      eachLine(sent, {
        check: async (submission) =>
          pipe(
            await validate(submission),
            // Only single requests get the echo.
            E.map(({ staging, sameData, warnings }) => ({ staging, sameData, warnings })),
          ),
        finish: async (validated) => validated.map((each) => E.right(each)),
        elsewhere: (line) => line.bulkValidate(),
      }),
    )

/** Stages each line as a single request would; the later of two lines with one account number replaces the earlier. */
export const bulkStage =
  (ports: StagePorts) =>
  async (
    sent: BulkSubmission & InRun,
  ): UseCaseResult<never, BulkResults<StagingRefused | LineUnreadable, Staged>> =>
    E.right(
      eachLine<AcceptedStaging, StagingRefused, Staged>(sent, {
        check: acceptStaging(ports),
        finish: storeStagings(ports),
        elsewhere: (line) => line.bulkStage(sent.run),
      }),
    )
