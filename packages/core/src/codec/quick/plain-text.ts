import { MAX_BYTES } from '../scan-text.js'

/** No NUL and no half of a pair. These builtins are faster than a loop over the units, and than an expression. */
const isStorable = (text: string): boolean => text.isWellFormed() && text.indexOf('\0') < 0

/** A character of ASCII that is no white space. */
const isVisible = (unit: number): boolean => unit > 0x20 && unit < 0x7f

/** No text of so many UTF-16 units takes more than 64 KiB. */
export const SURELY_FITS = Math.floor(MAX_BYTES / 3)

export const isPlainText = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length <= max && isStorable(value)

export const isPlainTerm = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length <= max && isVisible(value.charCodeAt(0)) && isStorable(value)

export const isPlainKey = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.length <= max && isVisible(value.charCodeAt(0)) && isPrintable(value)

const isPrintable = (text: string): boolean => {
  for (let index = 1; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit > 0x7e) return false
  }
  return true
}
