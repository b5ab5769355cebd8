import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import { addedTransactionsAnswer, type TransactionsQuery } from '@account-import/http-contract'
import { jsonReply } from '../answers.js'
import type { Route } from '../mount.js'

export const addTransactionsRoute =
  ({ addTransactions }: Pick<UseCases, 'addTransactions'>): Route<unknown, TransactionsQuery> =>
  ({ identity, query, body }) =>
    pipe(
      addTransactions({
        organisation: identity.organisation,
        payload: body,
        checkPreviouslyAdded: query.check_previously_added ?? true,
        forceAddToCurrentStatement: query.force_add_to_current_statement ?? true,
      }),
      TE.map((added) => jsonReply(addedTransactionsAnswer(added))),
    )
