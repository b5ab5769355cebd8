import { holdsCardNumber } from '../values/card-number.js'

/**
 * The details of an instruction that may be stored, as far as the vendor tells them: texts of 1 to 255 characters, none of which holds
 * a card number. `keepablePaymentDetails` picks them from what a vendor says.
 */
export type PaymentInstructionDetails = Readonly<{
  brand?: string
  /** The last four characters of the card or account number, never more. */
  last4?: string
  /** `YYYY-MM` */
  expiry?: string
  /** The vendor's word for what is charged, such as `card` or `sepa_debit`. */
  method?: string
  /** Two letters, where the card or account was issued. */
  country?: string
  /** The vendor's own id of the customer. */
  customerId?: string
  /** The vendor's own id of the mandate. */
  mandateId?: string
  /** The vendor's word for the state that the instruction was in when it was asked about. */
  status?: string
}>

type Detail = keyof PaymentInstructionDetails

const longest = 255
const control = /\p{Cc}|\p{Surrogate}/u

/** The form that each detail must have; all are short texts besides. */
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
 * Those of a vendor's details about an instruction that may be kept. Everything else is left out rather than cut to
 * fit: a `last4` of more than four characters, whatever holds a card number, texts of more than 255 characters, names
 * that are not known.
 */
export const keepablePaymentDetails = (
  found: Readonly<Partial<Record<keyof PaymentInstructionDetails, unknown>>>,
): PaymentInstructionDetails =>
  Object.fromEntries(
    (Object.keys(forms) as Detail[])
      .map((detail) => [detail, found[detail]] as const)
      .filter(([detail, value]) => isKeepable(detail, value)),
  )
