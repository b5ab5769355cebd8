import { paymentInstructionRequest } from '@account-import/core/adapter-kit'
import { noParams } from '../address-params.js'
import type { Answer } from '../call.js'
import { type AddedPaymentInstruction, addPaymentInstructionCall } from '../calls/add-payment-instruction.js'
import { endpoint } from '../endpoint.js'
import { type Done, refusalsOf } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'
import { additionRefusals } from './addition-refusals.js'

export const addPaymentInstruction = endpoint({
  ...addPaymentInstructionCall,
  summary: 'Asks the payment vendor for an instruction, and adds it to a created account if it can be used.',
  params: noParams,
  query: noParams,
  body: paymentInstructionRequest,
  refusals: refusalsOf<'addPaymentInstruction'>({
    ...additionRefusals,
    PaymentInstructionNotFound: true,
    PaymentInstructionNotUsable: true,
    PaymentVendorRefused: true,
    PaymentVendorUnavailable: true,
    PaymentVendorUnreachable: true,
  }),
  // The same for an instruction that the account had already.
  answer: ({
    platformAccountNumber,
    reference,
    warnings,
  }: Done<'addPaymentInstruction'>): Answer<AddedPaymentInstruction, 201> => ({
    status: 201,
    headers: warningHeaders(warnings),
    body: { platform_account_number: platformAccountNumber, reference },
  }),
})
