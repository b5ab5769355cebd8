import { Decimal } from 'decimal.js'

/** A decimal in canonical text: no exponent, no plus sign, no leading zeros. Exact, never floating point. */
export type DecimalText = string & { readonly DecimalText: unique symbol }

/** A decimal as a client sends it: a JSON number or a decimal string. Kept and echoed as sent. */
export type SentDecimal = number | string

/** Money with exactly two places, as answers show it: `12.30`. The value must have at most two decimals. */
export const toMoney = (sent: SentDecimal): DecimalText =>
  new Decimal(sent).toFixed(2).replace(/^-(0\.00)$/, '$1') as DecimalText

/** The shortest text of the value: `12.300` is `12.3`, `-0` is `0`. */
export const toDecimalText = (sent: SentDecimal): DecimalText => {
  const text = new Decimal(sent).toFixed()
  return (text === '-0' ? '0' : text) as DecimalText
}
