import type { BulkResult, BulkResults, UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'
import { endpoints, type BulkToAnswer, type Refusal } from '@account-import/http-contract'
import { noteFailure, noteLineProblem } from '../answers.js'
import type { RequestRecord } from '../context.js'
import type { Routes } from '../route.js'
import { isDryRun } from './is-dry-run.js'

/** The same results; a failure of the service among them is noted for the log. */
async function* noting<Refused extends Refusal, A>(
  record: RequestRecord,
  results: BulkResults<Refused, A>,
): AsyncGenerator<readonly BulkResult<Refused, A>[]> {
  for await (const page of results) {
    for (const { outcome } of page) if (outcome._tag === 'Left') noteFailure(record, outcome.left)
    yield page
  }
}

/** The log gets the counts as they are when the answer ends, however it does. */
const toAnswer = <Refused extends Refusal, A>(
  record: RequestRecord,
  results: BulkResults<Refused, A>,
): BulkToAnswer<Refused, A> => {
  const counts = { received: 0, failed: 0 }
  record.counts = counts
  return {
    results: noting(record, results),
    counts,
    noteProblem: (problem) => noteLineProblem(record, problem),
    requestId: record.requestId,
  }
}

/** Streams of accounts: each result is answered while others are worked on. */
export const bulkRoutes = (
  useCases: Pick<UseCases, 'bulkValidate' | 'bulkStage' | 'bulkProcess'>,
): Pick<Routes, 'bulkValidate' | 'bulkStage' | 'bulkProcess'> => ({
  bulkValidate: ({ organisation, lines, record }) =>
    pipe(
      useCases.bulkValidate({ organisation, lines }),
      TE.map((results) => endpoints.bulkValidate.answer(toAnswer(record, results))),
    ),
  bulkStage: ({ organisation, by, lines, record }) =>
    pipe(
      useCases.bulkStage({ organisation, by, lines }),
      TE.map((results) => endpoints.bulkStage.answer(toAnswer(record, results))),
    ),
  bulkProcess: ({ organisation, by, body, record, gone, pacedResults }) =>
    pipe(
      useCases.bulkProcess({ organisation, by, ...body, signal: gone() }),
      TE.map((results) =>
        endpoints.bulkProcess.answer({
          ...toAnswer(record, pacedResults(results)),
          isDryRun: isDryRun(body.payload),
        }),
      ),
    ),
})
