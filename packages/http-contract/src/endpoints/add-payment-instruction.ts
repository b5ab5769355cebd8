import { paymentInstructionRequest } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { noParams } from '../address-params.js'
import type { Answer } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { refusalsOf, type Done } from '../use-case.js'
import { warningHeaders } from '../warning-headers.js'
import { additionRefusals } from './addition-refusals.js'

const addedPaymentInstruction = t.type(
  { platform_account_number: t.string, reference: t.string },
  'AddedPaymentInstruction',
)
export type AddedPaymentInstruction = t.TypeOf<typeof addedPaymentInstruction>

export const addPaymentInstruction = endpoint({
  summary: 'Asks the payment vendor for an instruction, and adds it to a created account if it can be used.',
  method: 'POST',
  path: '/v1/data-import/payment-instruction/create/',
  scope: 'post-import',
  params: noParams,
  query: noParams,
  body: paymentInstructionRequest,
  statuses: [201],
  success: addedPaymentInstruction,
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
