import type { TypeOf } from 'io-ts'
import { choice, required, struct, term } from '../codec/index.js'
import { accountFields } from './account-fields.js'

const instructionTypes = ['CARD', 'DIRECT_DEBIT', 'PAYMENT_SLIP', 'CUSTOM'] as const

/** Code of a payment vendor. Which ones there are depends on how the service is set up, not on the supplier. */
export const paymentVendorCode = term(64)

/** The request to add an instruction that a payment vendor holds to a created account. */
export const paymentInstructionRequest = struct('payment instruction request', {
  ...accountFields,
  vendor: required(paymentVendorCode),
  reference: required(term(512)),
  type: required(choice(instructionTypes)),
})

export type PaymentInstructionRequest = TypeOf<typeof paymentInstructionRequest>
