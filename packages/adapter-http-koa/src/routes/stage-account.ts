import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import { stagedAccountAnswer } from '@account-import/http-contract'
import { jsonReply } from '../answers.js'
import type { Route } from '../mount.js'

export const stageAccountRoute =
  ({ stageAccount }: Pick<UseCases, 'stageAccount'>): Route<unknown, unknown> =>
  ({ identity, body }) =>
    pipe(
      stageAccount({ organisation: identity.organisation, payload: body }),
      TE.map((staged) => jsonReply(stagedAccountAnswer(staged))),
    )
