import type { UseCases } from '@account-import/core'
import { pipe, TE } from '@account-import/core'
import { addedPaymentInstructionAnswer } from '@account-import/http-contract'
import { jsonReply } from '../answers.js'
import type { Route } from '../mount.js'

export const addPaymentInstructionRoute =
  ({ addPaymentInstruction }: Pick<UseCases, 'addPaymentInstruction'>): Route<unknown, unknown> =>
  ({ identity, body }) =>
    pipe(
      addPaymentInstruction({ organisation: identity.organisation, payload: body }),
      TE.map((added) => jsonReply(addedPaymentInstructionAnswer(added))),
    )
