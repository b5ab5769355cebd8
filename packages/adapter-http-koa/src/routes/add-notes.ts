import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import { addedNotesAnswer } from '@account-import/http-contract'
import { jsonReply } from '../answers.js'
import type { Route } from '../mount.js'

export const addNotesRoute =
  ({ addNotes }: Pick<UseCases, 'addNotes'>): Route<unknown, unknown> =>
  ({ identity, body }) =>
    pipe(
      addNotes({ organisation: identity.organisation, payload: body }),
      TE.map((added) => jsonReply(addedNotesAnswer(added))),
    )
