/** What a decimal text consists of. Trailing zeros of the fraction do not count as decimals; `-0` is not negative. */
export type DecimalShape = Readonly<{ wholeDigits: number; decimals: number; isNegative: boolean }>

/**
 * The parts of a text in decimal syntax, `-?(0|[1-9][0-9]*)(\.[0-9]+)?` in ASCII; undefined for any other.
 */
export const scanDecimal = (text: string): DecimalShape | undefined => {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  const point = endOfDigits(text, start)
  const wholeDigits = point - start
  if (wholeDigits === 0 || (wholeDigits > 1 && text.charCodeAt(start) === ZERO)) return undefined
  const end = point === text.length ? point : endOfFraction(text, point)
  if (end !== text.length) return undefined
  const decimals = withoutTrailingZeros(text, point + 1, end) - point - 1
  const isZero = decimals <= 0 && text.charCodeAt(start) === ZERO
  return { wholeDigits, decimals: Math.max(decimals, 0), isNegative: start === 1 && !isZero }
}

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

const endOfDigits = (text: string, from: number): number => {
  let index = from
  while (index < text.length && isDigit(text.charCodeAt(index))) index++
  return index
}

const isDigit = (unit: number): boolean => unit >= ZERO && unit <= 0x39

/** Where point and digits end; before the end of the text if there are no digits or no point. */
const endOfFraction = (text: string, point: number): number => {
  if (text.charCodeAt(point) !== POINT) return point
  const end = endOfDigits(text, point + 1)
  return end === point + 1 ? point : end
}

const withoutTrailingZeros = (text: string, from: number, end: number): number => {
  let index = end
  while (index > from && text.charCodeAt(index - 1) === ZERO) index--
  return index
}
