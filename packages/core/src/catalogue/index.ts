import type { CatalogueEntry } from './entry.js'
import { ruleCodes } from './rule-codes.js'
import { genericCodes, transportCodes } from './transport-codes.js'

export { type CatalogueEntry, type CodeClass } from './entry.js'

const entries = { ...genericCodes, ...ruleCodes, ...transportCodes }

/** Every code of the service itself; codes are stable, only their texts may change. */
export type ErrorCode = keyof typeof entries

/** Every code that an entry may have: of the service, or of a market pack of the service. */
export type FieldCode = ErrorCode | (string & {})

/** The published catalogue of the service's own codes; market packs add more (`catalogueOf`). */
export const catalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = entries

/** The values of the placeholders of a text: a limit of the rule itself, never a value of the payload. */
export type Limits = Readonly<{
  max?: number | string
  min?: number | string
  allowed?: string
  /** The expected value, such as `a date such as 2025-01-31`. */
  form?: string
}>

const placeholder = /\{(max|min|allowed|form)\}/g

/** The text of an entry. A sentence with a placeholder that has no limit is left out, so that nobody sees a placeholder. */
export const textOf = ({ detail }: CatalogueEntry, limits: Limits = {}): string => {
  if (!detail.includes('{')) return detail
  const isFilled = (sentence: string): boolean =>
    [...sentence.matchAll(placeholder)].every(([, name]) => limits[name as keyof Limits] !== undefined)
  return detail
    .split(/(?<=\.) /)
    .filter(isFilled)
    .join(' ')
    .replace(placeholder, (_, name: keyof Limits) => String(limits[name]))
}

/** The text of a code of the service. */
export const detailOf = (code: ErrorCode, limits?: Limits): string => textOf(catalogue[code], limits)

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(catalogue, text)
