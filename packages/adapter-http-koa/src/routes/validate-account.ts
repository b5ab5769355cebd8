import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import { echoedAccountAnswer } from '@account-import/http-contract'
import { jsonReply } from '../answers.js'
import type { Route } from '../mount.js'

export const validateAccountRoute =
  ({ validateAccount }: Pick<UseCases, 'validateAccount'>): Route<unknown, unknown> =>
  ({ identity, body }) =>
    pipe(
      validateAccount({ organisation: identity.organisation, payload: body }),
      TE.map((valid) => jsonReply(echoedAccountAnswer(valid))),
    )
