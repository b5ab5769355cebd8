import type { Submission, UseCases } from '@account-import/core'
import type { TaskEither } from '@account-import/core/adapter-kit'
import { pipe, TE } from '@account-import/core/adapter-kit'
import { endpoints } from '@account-import/http-contract'
import { accountImports } from './account-imports.js'
import { bulkRoutes } from './bulk.js'
import { isDryRun } from './is-dry-run.js'
import type { RouteRequest, Routes } from '../route.js'

/** Hands the body to a use case as it came. */
const submit =
  <Refused, Done, Answered>(
    useCase: (submission: Submission) => TaskEither<Refused, Done>,
    answerOf: (done: Done) => Answered,
  ) =>
  ({ organisation, by, body }: RouteRequest<unknown, unknown>): TaskEither<Refused, Answered> =>
    pipe(useCase({ organisation, by, ...body }), TE.map(answerOf))

/** What goes from the request of each endpoint to its use case, and how that is answered. */
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
