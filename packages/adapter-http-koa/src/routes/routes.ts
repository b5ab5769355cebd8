import type { Submission, TaskEither, UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import {
  addedNotesAnswer,
  addedPaymentInstructionAnswer,
  addedTransactionsAnswer,
  createdAccountAnswer,
  echoedAccountAnswer,
  echoedStatementsAnswer,
  stagedAccountAnswer,
  transferStatusAnswer,
} from '@account-import/http-contract'
import { accountImports } from './account-imports.js'
import type { RouteRequest, Routes } from '../route.js'

/** Hands the body to a use case as it came. */
const submit =
  <Refused, Done, Answered>(
    useCase: (submission: Submission) => TaskEither<Refused, Done>,
    answerOf: (done: Done) => Answered,
  ) =>
  ({ organisation, body }: RouteRequest<unknown, unknown>): TaskEither<Refused, Answered> =>
    pipe(useCase({ organisation, payload: body }), TE.map(answerOf))

/** What goes from the request of each endpoint to its use case, and how that is answered. */
export const routesOf = (useCases: UseCases): Routes => ({
  validateAccount: submit(useCases.validateAccount, echoedAccountAnswer),
  stageAccount: submit(useCases.stageAccount, stagedAccountAnswer),
  processAccount: submit(useCases.processAccount, createdAccountAnswer),
  addNotes: submit(useCases.addNotes, addedNotesAnswer),
  addHistoricalStatements: submit(useCases.addHistoricalStatements, echoedStatementsAnswer),
  addPaymentInstruction: submit(useCases.addPaymentInstruction, addedPaymentInstructionAnswer),
  addTransactions: ({ organisation, query, body }) =>
    pipe(
      useCases.addTransactions({
        organisation,
        payload: body,
        checkPreviouslyAdded: query.check_previously_added ?? true,
        forceAddToCurrentStatement: query.force_add_to_current_statement ?? true,
      }),
      TE.map(addedTransactionsAnswer),
    ),
  transferStatus: ({ organisation, params }) =>
    pipe(
      useCases.transferStatus({
        organisation,
        importSupplier: params.import_supplier_code,
        externalAccountNumber: params.external_account_number,
      }),
      TE.map(transferStatusAnswer),
    ),
  allAccountImports: accountImports(useCases, 'all'),
  pendingAccountImports: accountImports(useCases, 'pending'),
  importedAccountImports: accountImports(useCases, 'imported'),
})
