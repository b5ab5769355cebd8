import { Decimal } from 'decimal.js'

/** A decimal in canonical text: no exponent, no plus sign, no leading zeros. Exact, never floating point. */
export type DecimalText = string & { readonly DecimalText: unique symbol }

/** A decimal as a client sends it: a JSON number or a decimal string. Kept and echoed as sent. */
export type SentDecimal = number | string

/** Money as it is answered, and no zero with a sign. */
const twoPlaces = /^(?!-0\.00$)-?(?:0|[1-9][0-9]{0,9})\.[0-9]{2}$/

/** The digits of a double of this size are right to the second place. */
const exactToCents = 1e12

const moneyText = (sent: SentDecimal): string => {
  if (typeof sent === 'string') return twoPlaces.test(sent) ? sent : new Decimal(sent).toFixed(2)
  return Math.abs(sent) < exactToCents ? sent.toFixed(2) : new Decimal(sent).toFixed(2)
}

/** Money with exactly two places, as answers show it: `12.30`. The value must have at most two decimals. */
export const toMoney = (sent: SentDecimal): DecimalText => {
  const text = moneyText(sent)
  return (text === '-0.00' ? '0.00' : text) as DecimalText
}

/** The shortest text of the value: `12.300` is `12.3`, `-0` is `0`. */
export const toDecimalText = (sent: SentDecimal): DecimalText => {
  const text = new Decimal(sent).toFixed()
  return (text === '-0' ? '0' : text) as DecimalText
}
