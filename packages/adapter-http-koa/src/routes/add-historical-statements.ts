import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import { echoedStatementsAnswer } from '@account-import/http-contract'
import { jsonReply } from '../answers.js'
import type { Route } from '../mount.js'

export const addHistoricalStatementsRoute =
  ({ addHistoricalStatements }: Pick<UseCases, 'addHistoricalStatements'>): Route<unknown, unknown> =>
  ({ identity, body }) =>
    pipe(
      addHistoricalStatements({ organisation: identity.organisation, payload: body }),
      TE.map((added) => jsonReply(echoedStatementsAnswer(added))),
    )
