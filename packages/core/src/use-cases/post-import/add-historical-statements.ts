import type { AccountStatement } from '../../domain/account-details.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import { historicalStatementsRequest, type HistoricalStatementsRequest } from '../../payloads/requests.js'
import type { Ports } from '../../ports/index.js'
import { below } from '../../rules/rule.js'
import { historicalStatementRules } from '../../rules/statements.js'
import { statementDocumentPaths } from '../../validation/document-paths.js'
import { toMoney } from '../../values/decimal.js'
import type { Submission, WithWarnings } from '../check-payload.js'
import type { RequestFailedValidation, UseCaseResult } from '../errors.js'
import {
  type AdditionKind,
  type AdditionRefused,
  checkAddition,
  type CheckedAddition,
  onCreatedAccount,
  recordAddition,
} from './addition.js'

const at = below(undefined, 'statements')

const kind: AdditionKind<HistoricalStatementsRequest> = {
  codec: historicalStatementsRequest,
  rules: ({ statements }, findings) => historicalStatementRules(statements, at, findings),
  documentPaths: (payload) =>
    statementDocumentPaths(payload, historicalStatementsRequest.fields.statements.codec),
}

/** One error for each statement whose id the account has. */
const refuseRepeats =
  ({ request, validateWith }: CheckedAddition<HistoricalStatementsRequest>) =>
  (existing: ReadonlySet<string>): TaskEither<RequestFailedValidation, unknown> => {
    const repeats = request.statements.flatMap(({ statement_id }, index) =>
      existing.has(statement_id)
        ? [
            {
              path: ['statements', index, 'statement_id'],
              code: 'historical_statement_already_exists' as const,
            },
          ]
        : [],
    )
    return TE.fromEither(validateWith(repeats))
  }

/** A historical statement as it is kept. */
const statementFromPayload = ({
  gross_amount,
  ...rest
}: HistoricalStatementsRequest['statements'][number]): AccountStatement => ({
  ...rest,
  ...(gross_amount !== undefined && { gross_amount: toMoney(gross_amount) }),
})

/** Stores all statements of the request, or none. */
export const addHistoricalStatements =
  (ports: Pick<Ports, 'importSuppliers' | 'clock' | 'documents' | 'secrets' | 'settings' | 'unitOfWork'>) =>
  (
    submission: Submission,
  ): UseCaseResult<AdditionRefused, Readonly<{ request: HistoricalStatementsRequest }> & WithWarnings> =>
    pipe(
      checkAddition(ports)(kind, submission),
      TE.flatMap((checked) => {
        const { request, warnings } = checked
        return pipe(
          onCreatedAccount(ports)(checked, (account, stores) =>
            pipe(
              stores.accountStatements.existingIds(
                account,
                request.statements.map(({ statement_id }) => statement_id),
              ),
              TE.flatMap(refuseRepeats(checked)),
              TE.flatMap(() =>
                stores.accountStatements.add(account, request.statements.map(statementFromPayload)),
              ),
              TE.flatMap(() =>
                recordAddition(ports, checked)(stores, account, 'statements_added', request.statements),
              ),
            ),
          ),
          TE.map(() => ({ request, warnings })),
        )
      }),
    )
