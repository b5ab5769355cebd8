import { isShortDecimal } from '../json-number.js'

/** Whether a value surely is a JSON number of the size of which `scale` and `limit` are powers of ten. */
export const isPlainAmount = (value: unknown, scale: number, limit: number): boolean => {
  if (typeof value !== 'number') return false
  const magnitude = Math.abs(value)
  return magnitude < limit && isShortDecimal(magnitude, scale)
}

/** The same, and not below zero. */
export const isPlainQuantity = (value: unknown, scale: number, limit: number): boolean =>
  typeof value === 'number' && value >= 0 && value < limit && isShortDecimal(value, scale)
