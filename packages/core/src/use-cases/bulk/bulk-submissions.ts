import { pipe, type TaskEither, TE } from '../../fp.js'
import { externalAccountNumber } from '../../payloads/identifiers.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { readField } from '../../validation/check.js'
import type { BulkResult, BulkResults, LineUnreadable } from '../bulk-result.js'
import type { BulkLine, BulkSubmission, LineElsewhere, Submission, UseCases } from '../signatures.js'
import { inOrder } from './in-order.js'
import { untilAway } from './pause.js'

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
  ({ validateAccount }: Pick<UseCases, 'validateAccount'>): UseCases['bulkValidate'] =>
  (sent) =>
    TE.right(
      eachLine(
        sent,
        (submission) =>
          pipe(
            validateAccount(submission),
            // The echo is for single requests.
            TE.map(({ warnings }) => ({ warnings })),
          ),
        (line) => line.bulkValidate(),
      ),
    )

/** Stages each line as a single request would; of two lines with one account number the later counts. */
export const bulkStage =
  ({ stageAccount }: Pick<UseCases, 'stageAccount'>): UseCases['bulkStage'] =>
  (sent) =>
    TE.right(eachLine(sent, stageAccount, (line) => line.bulkStage()))
