/** Which payment methods of Stripe each type of instruction may be; a type that is not here, such as `CUSTOM`, any. */
const methodsOfType: ReadonlyMap<string, readonly string[]> = new Map([
  ['CARD', ['card']],
  [
    'DIRECT_DEBIT',
    ['sepa_debit', 'bacs_debit', 'au_becs_debit', 'acss_debit', 'nz_bank_account', 'us_bank_account'],
  ],
  ['PAYMENT_SLIP', ['boleto', 'konbini', 'multibanco', 'oxxo']],
])

/** Whether a payment method of Stripe is of the type that an instruction names. */
export const isOfType = (method: string, type: string): boolean =>
  methodsOfType.get(type)?.includes(method) ?? true
