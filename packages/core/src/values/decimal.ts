/** A decimal in canonical text: no exponent, no plus sign, no leading zeros. Exact, never floating point. */
export type DecimalText = string & { readonly DecimalText: unique symbol }

/** A decimal as a client sends it: a JSON number or a decimal string. Kept and echoed as sent. */
export type SentDecimal = number | string

const PLACES = 2

/**
 * Money with exactly two places, as answers show it: `12.30`, and never `-0.00`. The value must lie between -10^12
 * and 10^12 and have at most two decimals, as all accepted money does: such a value's double is shown unchanged.
 */
export const toMoney = (sent: SentDecimal): DecimalText => {
  const text = typeof sent === 'number' ? sent.toFixed(PLACES) : withTwoPlaces(sent)
  return (text === '-0.00' ? '0.00' : text) as DecimalText
}

const withTwoPlaces = (text: string): string => {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.slice(0, PLACES).padEnd(PLACES, '0')}`
}
