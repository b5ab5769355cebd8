/**
 * What may be kept of an instruction, as far as the vendor tells it: texts of 1 to 255 characters, none of which holds
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
