import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import { createdAccountAnswer } from '@account-import/http-contract'
import { jsonReply } from '../answers.js'
import type { Route } from '../mount.js'

export const processAccountRoute =
  ({ processAccount }: Pick<UseCases, 'processAccount'>): Route<unknown, unknown> =>
  ({ identity, body }) =>
    pipe(
      processAccount({ organisation: identity.organisation, payload: body }),
      TE.map((created) => jsonReply(createdAccountAnswer(created))),
    )
