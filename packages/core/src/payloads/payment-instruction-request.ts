import type { TypeOf } from 'io-ts'
import { choice, refine, required, struct, term } from '../codec/index.js'
import { isCardNumber } from '../values/card-number.js'
import { accountFields } from './account-fields.js'

const instructionTypes = ['CARD', 'DIRECT_DEBIT', 'PAYMENT_SLIP', 'CUSTOM'] as const

/** Code of a payment vendor. Which ones there are depends on how the service is set up, not on the supplier. */
export const paymentVendorCode = term(64)

/** The vendor's own name for an instruction. A card number is none: whoever holds one must not send or keep it. */
export const paymentReference = refine(
  term(512),
  'card_number_not_allowed',
  (reference) => !isCardNumber(reference),
)

/** The request to add an instruction that a payment vendor holds to a created account. */
export const paymentInstructionRequest = struct('payment instruction request', {
  ...accountFields,
  vendor: required(paymentVendorCode),
  reference: required(paymentReference),
  type: required(choice(instructionTypes)),
})

export type PaymentInstructionRequest = TypeOf<typeof paymentInstructionRequest>
