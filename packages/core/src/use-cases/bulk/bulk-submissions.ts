import { inOrder } from '../../concurrency/in-order.js'
import type { Actor } from '../../domain/audit-entry.js'
import type { InRun, OpenRun } from '../../domain/import-run.js'
import { E, type Either, pipe, TE } from '../../fp.js'
import { externalAccountNumber } from '../../payloads/identifiers.js'
import { isPortFailure, type PortFailure } from '../../ports/port-failure.js'
import { readField } from '../../validation/check.js'
import type { SentPayload, Submission, WithWarnings } from '../check-payload.js'
import type { AccountFailedValidation, UseCaseResult } from '../errors.js'
import type { Staged, staging, StagingRefused } from '../stage-account.js'
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

/** Two full batches of a store; `weight`, in bytes, bounds the memory of long lines, whose parsed payloads are larger still. */
const window = { items: 128, weight: 2_097_152 }

/** The accounts that a store takes in one statement. */
const mostTogether = 64

const numberOf = (sent: BulkLine): string | undefined =>
  'elsewhere' in sent || sent.json._tag === 'Left'
    ? undefined
    : readField(externalAccountNumber, sent.json.right.payload, 'external_account_number')

/** The steps for lines of one kind: `begin` for each line, then `settle` for several together, with an outcome for each. */
type Doing<Begun, Refused, A> = Readonly<{
  begin(submission: Submission & InRun): Promise<Begun>
  settle(all: readonly Begun[]): Promise<readonly BulkResult<Refused, A>['outcome'][]>
  elsewhere(line: LineElsewhere): Promise<BulkResult<Refused | LineUnreadable, A>>
}>

/** A line after `begin`; the parsed payload is not kept. */
type PreparedLine<Begun> = Readonly<{
  line: number
  externalAccountNumber: string | undefined
  done: BulkLine['done'] | undefined
}> &
  (
    | Readonly<{ begun: Begun }>
    | Readonly<{ unreadable: Either<LineUnreadable, never> }>
    | Readonly<{ elsewhere: LineElsewhere }>
  )

/** Does the work of a single request for each line that is JSON; lines of one account number one after the other. */
const eachLine = <Begun, Refused extends Readonly<{ _tag: string }>, A>(
  { organisation, lines, by, run }: BulkSubmission & InRun,
  { begin, settle, elsewhere }: Doing<Begun, Refused, A>,
): BulkResults<Refused | LineUnreadable, A> => {
  const prepare = async (sent: BulkLine): Promise<PreparedLine<Begun>> => {
    const shared = { line: sent.line, done: sent.done, externalAccountNumber: numberOf(sent) }
    if ('elsewhere' in sent) return { ...shared, elsewhere: sent.elsewhere }
    const { json } = sent
    return E.isLeft(json)
      ? { ...shared, unreadable: json }
      : { ...shared, begun: await begin({ organisation, by, run, ...json.right }) }
  }
  const results = async (
    batch: readonly PreparedLine<Begun>[],
  ): Promise<readonly BulkResult<Refused | LineUnreadable, A>[]> => {
    const begun = batch.flatMap((each) => ('begun' in each ? [each.begun] : []))
    const outcomes = (await settle(begun)).values()
    return Promise.all(
      batch.map(async (each) => {
        const { line, externalAccountNumber } = each
        if ('elsewhere' in each) return { ...(await elsewhere(each.elsewhere)), line }
        if ('unreadable' in each) return { line, externalAccountNumber, outcome: each.unreadable }
        return {
          line,
          externalAccountNumber,
          outcome: outcomes.next().value as BulkResult<Refused, A>['outcome'],
        }
      }),
    )
  }
  return inOrder<BulkLine, PreparedLine<Begun>, BulkResult<Refused | LineUnreadable, A>>(lines, {
    window,
    mostTogether,
    weightOf: ({ bytes }) => bytes,
    keyOf: numberOf,
    isAlone: (sent) => 'elsewhere' in sent,
    prepare,
    settle: async (batch) => {
      try {
        return await results(batch)
      } finally {
        for (const { done } of batch) done?.()
      }
    },
    given: outageLimit(),
  })
}

/** Validates each line as a single request would. */
export const bulkValidate =
  ({ validateAccount: validate }: Readonly<{ validateAccount: ReturnType<typeof validateAccount> }>) =>
  (
    sent: BulkSubmission,
  ): UseCaseResult<
    never,
    BulkResults<AccountFailedValidation | LineUnreadable, StagingForecast & WithWarnings>
  > =>
    TE.right(
      eachLine(sent, {
        begin: (submission) =>
          pipe(
            validate(submission),
            // Only single requests get the echo.
            TE.map(({ staging: foreseen, sameData, warnings }) => ({
              staging: foreseen,
              sameData,
              warnings,
            })),
          )(),
        settle: async (validated) => validated,
        elsewhere: (line) => line.bulkValidate(),
      }),
    )

/** Stages each line as a single request would; the later of two lines with one account number replaces the earlier. */
export const bulkStage =
  ({ judge, settle }: ReturnType<typeof staging>) =>
  (
    sent: BulkSubmission & InRun,
  ): UseCaseResult<never, BulkResults<StagingRefused | LineUnreadable, Staged>> =>
    TE.right(eachLine(sent, { begin: judge, settle, elsewhere: (line) => line.bulkStage(sent.run) }))
