import * as t from 'io-ts'
import { call } from '../call.js'

const addedPaymentInstruction = t.type(
  { platform_account_number: t.string, reference: t.string },
  'AddedPaymentInstruction',
)
export type AddedPaymentInstruction = t.TypeOf<typeof addedPaymentInstruction>

export const addPaymentInstructionCall = call({
  method: 'POST',
  path: '/v1/data-import/payment-instruction/create/',
  scope: 'post-import',
  statuses: [201],
  success: addedPaymentInstruction,
})
