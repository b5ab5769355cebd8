import { holdsCardNumber } from '../values/card-number.js'

/**
 * The details of an instruction that may be stored, if the vendor returns them: texts of 1 to 255 characters without a card
 * number. `keepablePaymentDetails` selects them from a vendor's response.
 */
export type PaymentInstructionDetails = Readonly<{
  brand?: string
  /** The last four characters of the card or account number, never more. */
  last4?: string
  /** `YYYY-MM` */
  expiry?: string
  /** The vendor's name of the means of payment, such as `card` or `sepa_debit`. */
  method?: string
  /** Two letters: the country that issued the card or account. */
  country?: string
  /** The vendor's own id of the customer. */
  customerId?: string
  /** The vendor's own id of the mandate. */
  mandateId?: string
  /** The vendor's name of the instruction's state at the verification. */
  status?: string
}>

type Detail = keyof PaymentInstructionDetails

const longest = 255
const control = /\p{Cc}|\p{Surrogate}/u

/** The form of each detail, besides its length. */
const forms: Readonly<Record<Detail, RegExp>> = {
  brand: /\S/,
  last4: /^[0-9A-Za-z]{4}$/,
  expiry: /^\d{4}-(?:0[1-9]|1[0-2])$/,
  method: /\S/,
  country: /^[A-Z]{2}$/,
  customerId: /\S/,
  mandateId: /\S/,
  status: /\S/,
}

const isKeepable = (detail: Detail, value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= longest &&
  forms[detail].test(value) &&
  !control.test(value) &&
  !holdsCardNumber(value)

/**
 * The vendor's details of an instruction that may be stored. All others are left out, not cut: a `last4` of more than four
 * characters, texts with a card number or of more than 255 characters, unknown names.
 */
export const keepablePaymentDetails = (
  found: Readonly<Partial<Record<keyof PaymentInstructionDetails, unknown>>>,
): PaymentInstructionDetails =>
  Object.fromEntries(
    (Object.keys(forms) as Detail[])
      .map((detail) => [detail, found[detail]] as const)
      .filter(([detail, value]) => isKeepable(detail, value)),
  )
