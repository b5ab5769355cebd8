import type {
  AccountImportList,
  BulkResult,
  BulkResults,
  SentPayload,
  Submission,
  UseCases,
} from '@account-import/core'
import {
  externalAccountNumber,
  importSupplierCode,
  pipe,
  readField,
  type TaskEither,
  TE,
} from '@account-import/core/adapter-kit'
import {
  type BulkToAnswer,
  endpoints,
  pageLimits,
  type Refusal,
  wholeListAnswer,
} from '@account-import/http-contract'
import { noteFailure, noteLineProblem } from './answers.js'
import type { RequestRecord } from './context.js'
import type { RouteRequest, Routes } from './route.js'

/** Remembers which account a body names, whether the rest of it is valid or not: a refusal may say something of it too. */
export const noteAccount = (record: RequestRecord, { payload }: SentPayload): void => {
  const number = readField(externalAccountNumber, payload, 'external_account_number')
  if (number === undefined) return
  const importSupplier =
    readField(importSupplierCode, payload, 'import_supplier') ??
    readField(importSupplierCode, payload, 'import_supplier_code')
  if (importSupplier !== undefined) record.account = { importSupplier, externalAccountNumber: number }
}

/** Whether a request to process asks for a dry run. */
const isDryRun = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'dry_run' in payload && payload.dry_run === true

/** The whole list, streamed; with `limit` or `cursor` a page of it. */
const accountImports =
  (
    { allAccountImports, accountImportsPage }: Pick<UseCases, 'allAccountImports' | 'accountImportsPage'>,
    list: AccountImportList,
  ): Routes['allAccountImports'] =>
  ({ organisation, params, query, path }) => {
    const request = { organisation, importSupplier: params.import_supplier_code, list }
    const { limit = pageLimits.max, cursor: after } = query
    return query.limit === undefined && after === undefined
      ? pipe(allAccountImports(request), TE.map(wholeListAnswer))
      : pipe(
          accountImportsPage({ ...request, after, limit }),
          TE.map((page) => endpoints.allAccountImports.answer({ ...page, path, limit })),
        )
  }

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
const bulkRoutes = (
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

/** Hands the body to a use case as it came. */
const submit =
  <Refused, Done, Answered>(
    useCase: (submission: Submission) => TaskEither<Refused, Done>,
    answerOf: (done: Done) => Answered,
  ) =>
  ({ organisation, by, body }: RouteRequest<unknown, unknown>): TaskEither<Refused, Answered> =>
    pipe(useCase({ organisation, by, ...body }), TE.map(answerOf))

/** The way from the request of each endpoint to its use case, and back to the answer. */
export const routesOf = (useCases: UseCases): Routes => ({
  validateAccount: (request) => {
    request.record.changesNothing = true
    return submit(useCases.validateAccount, endpoints.validateAccount.answer)(request)
  },
  stageAccount: submit(useCases.stageAccount, endpoints.stageAccount.answer),
  processAccount: (request) => {
    if (isDryRun(request.body.payload)) request.record.changesNothing = true
    return submit(useCases.processAccount, endpoints.processAccount.answer)(request)
  },
  ...bulkRoutes(useCases),
  addNotes: submit(useCases.addNotes, endpoints.addNotes.answer),
  addHistoricalStatements: submit(useCases.addHistoricalStatements, endpoints.addHistoricalStatements.answer),
  addPaymentInstruction: submit(useCases.addPaymentInstruction, endpoints.addPaymentInstruction.answer),
  addTransactions: ({ organisation, by, claimed, query, body }) =>
    pipe(
      useCases.addTransactions({
        organisation,
        by,
        claimed,
        ...body,
        checkPreviouslyAdded: query.check_previously_added ?? true,
        forceAddToCurrentStatement: query.force_add_to_current_statement ?? true,
      }),
      TE.map(endpoints.addTransactions.answer),
    ),
  transferStatus: ({ organisation, params }) =>
    pipe(
      useCases.transferStatus({
        organisation,
        importSupplier: params.import_supplier_code,
        externalAccountNumber: params.external_account_number,
      }),
      TE.map(endpoints.transferStatus.answer),
    ),
  accountImportSummary: ({ organisation, params }) =>
    pipe(
      useCases.accountImportSummary({ organisation, importSupplier: params.import_supplier_code }),
      TE.map(endpoints.accountImportSummary.answer),
    ),
  allAccountImports: accountImports(useCases, 'all'),
  pendingAccountImports: accountImports(useCases, 'pending'),
  importedAccountImports: accountImports(useCases, 'imported'),
})
