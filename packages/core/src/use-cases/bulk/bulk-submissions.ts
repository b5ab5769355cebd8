import type { Actor } from '../../domain/audit-entry.js'
import { type Either, pipe, type TaskEither, TE } from '../../fp.js'
import { externalAccountNumber } from '../../payloads/identifiers.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { readField } from '../../validation/check.js'
import type { SentPayload, Submission, WithWarnings } from '../check-payload.js'
import type { AccountFailedValidation, UseCaseResult } from '../errors.js'
import type { stageAccount, Staged, StagingRefused } from '../stage-account.js'
import type { validateAccount } from '../validate-account.js'
import { type BulkResult, type BulkResults, type LineUnreadable, untilAway } from './bulk-results.js'
import { inOrder } from '../../concurrency/in-order.js'

/** Works on one line where it holds up nobody, such as in another thread. Neither rejects. */
export type LineElsewhere = Readonly<{
  bulkValidate(): Promise<BulkResult<AccountFailedValidation | LineUnreadable, WithWarnings>>
  bulkStage(): Promise<BulkResult<StagingRefused | LineUnreadable, Staged>>
}>

/**
 * One line of a stream. `line`: its number, from 1, in which blank lines count; `bytes`: how long it is. It is parsed already, or
 * it is parsed elsewhere because it is long: then it is worked on after all lines before it and before all lines after it, as
 * nobody knows its account. `done` is called once, when the line is needed no more.
 */
export type BulkLine = Readonly<{ line: number; bytes: number; done?: () => void }> &
  (Readonly<{ json: Either<LineUnreadable, SentPayload> }> | Readonly<{ elsewhere: LineElsewhere }>)

/** Who asks: the organisation of the token, and a stream of lines, each a payload as it came. */
export type BulkSubmission = Readonly<{
  organisation: string
  lines: AsyncIterable<BulkLine>
  by?: Actor | undefined
}>

/** Two full batches of a store; fewer lines where they are long, since what is made of a line weighs more than it. */
const window = { items: 128, weight: 2_097_152 }

const numberOf = (sent: BulkLine): string | undefined =>
  'elsewhere' in sent || sent.json._tag === 'Left'
    ? undefined
    : readField(externalAccountNumber, sent.json.right.payload, 'external_account_number')

/** The use case of a single account for each line that is JSON; lines of one account number go one after the other. */
const eachLine = <Refused extends Readonly<{ _tag: string }>, A>(
  { organisation, lines, by }: BulkSubmission,
  useCase: (submission: Submission) => TaskEither<Refused | PortFailure, A>,
  elsewhere: (line: LineElsewhere) => Promise<BulkResult<Refused | LineUnreadable, A>>,
): BulkResults<Refused | LineUnreadable, A> => {
  const result = async (sent: BulkLine): Promise<BulkResult<Refused | LineUnreadable, A>> => {
    const { line } = sent
    if ('elsewhere' in sent) return { ...(await elsewhere(sent.elsewhere)), line }
    const { json } = sent
    const outcome = json._tag === 'Left' ? json : await useCase({ organisation, by, ...json.right })()
    return { line, externalAccountNumber: numberOf(sent), outcome }
  }
  const run: typeof result = async (sent) => {
    try {
      return await result(sent)
    } finally {
      sent.done?.()
    }
  }
  const isAlone = (sent: BulkLine): boolean => 'elsewhere' in sent
  return untilAway(inOrder(lines, { window, weightOf: ({ bytes }) => bytes, keyOf: numberOf, isAlone, run }))
}

/** Validates each line as a single request would. */
export const bulkValidate =
  ({ validateAccount: validate }: Readonly<{ validateAccount: ReturnType<typeof validateAccount> }>) =>
  (
    sent: BulkSubmission,
  ): UseCaseResult<never, BulkResults<AccountFailedValidation | LineUnreadable, WithWarnings>> =>
    TE.right(
      eachLine(
        sent,
        (submission) =>
          pipe(
            validate(submission),
            // The echo is for single requests.
            TE.map(({ warnings }) => ({ warnings })),
          ),
        (line) => line.bulkValidate(),
      ),
    )

/** Stages each line as a single request would; of two lines with one account number the later counts. */
export const bulkStage =
  ({ stageAccount: stage }: Readonly<{ stageAccount: ReturnType<typeof stageAccount> }>) =>
  (sent: BulkSubmission): UseCaseResult<never, BulkResults<StagingRefused | LineUnreadable, Staged>> =>
    TE.right(eachLine(sent, stage, (line) => line.bulkStage()))
