import { inPages } from '../concurrency/pages.js'
import type { Actor } from '../domain/audit-entry.js'
import type { InRun } from '../domain/import-run.js'
import { E, type Either, pipe } from '../fp.js'
import { externalAccountNumber } from '../payloads/identifiers.js'
import type { PortFailure } from '../ports/port-failure.js'
import { readField } from '../codec/struct.js'
import type { SentPayload, Submission, WithWarnings } from '../checking/check-payload.js'
import type { AccountFailedValidation, UseCaseResult } from '../checking/errors.js'
import { mapRights, withAnswers } from '../lists/lists.js'
import { mapped, onceTaken } from '../lists/pages.js'
import {
  type AcceptedStaging,
  acceptStaging,
  type Staged,
  stagedIn,
  type StagePorts,
  type StagingRefused,
  storeStagings,
} from './stage-accounts.js'
import type { StagingForecast, validateAccount } from './validate-account.js'

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

/**
 * One line of a stream. `line`: its number, from 1, counting blank lines; `bytes`: its length. `json` is called once, and parses it:
 * a stream that waits holds no parsed payload. `done` is called once, when the caller has taken the result of the line.
 */
export type BulkLine = Readonly<{
  line: number
  bytes: number
  done?: () => void
  json: () => Promise<Either<LineUnreadable | PortFailure, SentPayload>>
}>

/** The organisation of the client's token, and a stream of lines, each an unchecked payload. */
export type BulkSubmission = Readonly<{
  organisation: string
  lines: AsyncIterable<BulkLine> | Iterable<BulkLine>
  by?: Actor | undefined
}>

/** Two full pages of a store; the size, in bytes, bounds the memory of long lines, whose parsed payloads are larger still. */
const ahead = { items: 128, size: 2_097_152 }

/** The accounts that a store takes in one statement; the size, in findings, is that of one account with as many as are reported. */
const mostInPage = { items: 64, size: 1000 }

const findingCount = (checked: Either<object, object>): number => {
  const {
    errors = [],
    warnings = [],
  }: Readonly<{ errors?: readonly unknown[]; warnings?: readonly unknown[] }> = E.isLeft(checked)
    ? checked.left
    : checked.right
  return errors.length + warnings.length
}

/**
 * The work for lines of one kind: `check` for each line, beside the work of others; then `finish` for the lines of a page that
 * `check` accepted, which answers each.
 */
type LineWork<Accepted, Refused, A> = Readonly<{
  check(submission: Submission & InRun): Promise<Either<Refused | PortFailure, Accepted>>
  finish(accepted: readonly Accepted[]): Promise<readonly Either<Refused | PortFailure, A>[]>
}>

/** A line after `check`, which keeps no parsed payload. */
type CheckedLine<Accepted, Refused> = Readonly<{
  line: number
  externalAccountNumber: string | undefined
  done: BulkLine['done'] | undefined
  checked: Either<Refused | LineUnreadable | PortFailure, Accepted>
}>

/** Does the work of a single request for each line that is JSON; lines of one account number one after the other. */
export const eachLine = <Accepted extends object, Refused extends Readonly<{ _tag: string }>, A>(
  { organisation, lines, by, run }: BulkSubmission & InRun,
  { check, finish }: LineWork<Accepted, Refused, A>,
): AsyncIterableIterator<readonly BulkResult<Refused | LineUnreadable, A>[]> => {
  const prepare = async ({ line, done, json }: BulkLine): Promise<CheckedLine<Accepted, Refused>> => {
    const read = await json()
    if (E.isLeft(read)) return { line, externalAccountNumber: undefined, done, checked: read }
    const { payload } = read.right
    const number = readField(externalAccountNumber, payload, 'external_account_number')
    const checked = await check({ organisation, by, run, ...read.right })
    return { line, externalAccountNumber: number, done, checked }
  }
  const pages = inPages(lines, {
    ahead,
    most: mostInPage,
    sizeOf: ({ bytes }) => bytes,
    prepare,
    pageSizeOf: ({ checked }) => findingCount(checked),
    nameOf: ({ externalAccountNumber: number }) => number,
  })
  const finished = mapped(pages, async (page) => {
    const outcomes = await mapRights(
      page.map(({ checked }) => checked),
      finish,
    )
    const results = withAnswers(page, outcomes).map(({ line, externalAccountNumber, answer: outcome }) => ({
      line,
      externalAccountNumber,
      outcome,
    }))
    // Without the accepted data, as the reader of the results may be slow.
    return { done: page.map(({ done }) => done), results }
  })
  const taken = onceTaken(finished, ({ done }) => {
    for (const each of done) each?.()
  })
  return mapped(taken, ({ results }) => results)
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
        finish: async (accepted) => (await storeStagings(ports)(accepted)).map(E.map(stagedIn)),
      }),
    )
