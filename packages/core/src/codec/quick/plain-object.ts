import { inheritsNothing } from '../json-object.js'
import { isShortDecimal } from '../json-number.js'
import { MAX_ITEMS } from '../list.js'
import { isPlainText, SURELY_FITS } from './plain-text.js'

/** Free objects are mostly flat; deeper ones are left to the codec, which also tells one that holds itself. */
const LEVELS = 4

/** Decimals of the fractions that are told without making their text. */
const SCALE = 1e6

/** Whether a free object, and all that it holds, is surely accepted. */
export const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && hasPlainContent(value, LEVELS)

const hasPlainContent = (object: object, levels: number): boolean => {
  if (!inheritsNothing(object) || levels === 0) return false
  for (const key in object)
    if (!isPlain((object as Readonly<Record<string, unknown>>)[key], levels - 1)) return false
  return true
}

const hasPlainItems = (items: readonly unknown[], levels: number): boolean => {
  if (items.length > MAX_ITEMS || levels === 0) return false
  for (let index = 0; index < items.length; index++) if (!isPlain(items[index], levels - 1)) return false
  return true
}

const isPlain = (value: unknown, levels: number): boolean => {
  if (typeof value === 'string') return isPlainText(value, SURELY_FITS)
  if (typeof value === 'number') return isShortDecimal(Math.abs(value), SCALE)
  if (typeof value !== 'object') return typeof value === 'boolean'
  if (value === null) return true
  return Array.isArray(value) ? hasPlainItems(value, levels) : hasPlainContent(value, levels)
}
