import { paymentInstructionRequest } from '@account-import/core'
import { noParams } from '../address-params.js'
import { endpoint } from '../endpoint.js'
import { addedPaymentInstruction } from '../responses/added-payment-instruction.js'

export const addPaymentInstruction = endpoint({
  name: 'add-payment-instruction',
  summary: 'Asks the payment vendor for an instruction, and adds it to a created account if it can be used.',
  method: 'POST',
  path: '/v1/data-import/payment-instruction/create/',
  scope: 'post-import',
  params: noParams,
  query: noParams,
  body: paymentInstructionRequest,
  statuses: [201],
  success: addedPaymentInstruction,
})
