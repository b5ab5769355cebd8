import type { DecimalSize } from '../decimal-text.js'

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

const endOfDigits = (text: string, from: number): number => {
  let index = from
  while (index < text.length) {
    const digit = text.charCodeAt(index) - ZERO
    if (digit < 0 || digit > 9) return index
    index++
  }
  return index
}

/** Whether a value is decimal text that surely fits the size, zeros at its end counted too. */
export const isPlainDecimal = (value: unknown, { whole, decimals, floor }: DecimalSize): boolean => {
  if (typeof value !== 'string' || value.length === 0) return false
  const start = value.charCodeAt(0) === MINUS && floor === undefined ? 1 : 0
  const point = endOfDigits(value, start)
  const digits = point - start
  if (digits === 0 || digits > whole || (digits > 1 && value.charCodeAt(start) === ZERO)) return false
  if (point === value.length) return true
  if (value.charCodeAt(point) !== POINT) return false
  const end = endOfDigits(value, point + 1)
  return end === value.length && end > point + 1 && end - point - 1 <= decimals
}
