import type { TypeOf } from 'io-ts'
import { choice, required, struct, term } from '../codec/index.js'
import { accountFields } from './account-fields.js'

/** List INSTRUCTION_TYPE of section 4. */
const instructionTypes = ['CARD', 'DIRECT_DEBIT', 'PAYMENT_SLIP', 'CUSTOM'] as const

/** Code of a payment vendor: section 6. Which ones there are is the service's, and no setting of a supplier. */
export const paymentVendorCode = term(64)

/** Section 6: an instruction that a payment vendor holds, for a created account. */
export const paymentInstructionRequest = struct('payment instruction request', {
  ...accountFields,
  vendor: required(paymentVendorCode),
  reference: required(term(512)),
  type: required(choice(instructionTypes)),
})

export type PaymentInstructionRequest = TypeOf<typeof paymentInstructionRequest>
