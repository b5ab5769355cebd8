import type { DecimalSize } from '@account-import/core/adapter-kit'
import type { JsonSchema } from './json-schema.js'

// Regular expressions that every engine reads alike: ECMAScript's with the flag u or without, RE2, and those of Python, Java
// and Rust. Hence no assertions but ^ and $, no properties such as \p{L}, no \d, no escapes of characters beyond \x7F. Halves of
// character pairs, which no text in UTF-8 can hold, are left to the service.

/** A schema of texts that match all the patterns. Without assertions one pattern cannot say "and". */
const matching = (pattern: string, ...others: readonly string[]): JsonSchema =>
  others.length === 0 ? { pattern } : { pattern, allOf: others.map((other) => ({ pattern: other })) }

const notBlank = String.raw`\S`

/** text(n): may be blank. */
export const textPattern = matching(String.raw`^[^\x00]*$`)

/** term(n): has a character that is no white space. */
export const termPattern = matching(String.raw`^[^\x00]*$`, notBlank)

/** key(n): a term without control characters. */
export const keyPattern = matching(String.raw`^[^\x00-\x1F\x7F]*$`, notBlank)

const year = '(?:19|[2-9][0-9])[0-9][0-9]'
const leapYear = '(?:(?:19|[2-9][0-9])(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[3579][26])00)'
const dayOfYear =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])'
const day = `(?:${year}-(?:${dayOfYear})|${leapYear}-02-29)`

/** date: a real day from 1900-01-01 to 9999-12-31. */
export const datePattern = matching(`^${day}$`)

/** datetime: a time of such a day, in UTC. */
export const datetimePattern = matching(`^${day}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$`)

/** Decimal syntax with at most so many digits; zeros at the end of the fraction do not count. */
export const decimalPattern = ({ whole, decimals, floor }: DecimalSize): JsonSchema => {
  const unsigned = String.raw`(?:0|[1-9][0-9]{0,${whole - 1}})(?:\.[0-9]{1,${decimals}}0*)?`
  return matching(floor === 0 ? String.raw`^(?:-0(?:\.0+)?|${unsigned})$` : `^-?${unsigned}$`)
}

const local = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
/** Of ASCII letters and digits, and what is beyond ASCII. */
const inLabel = '[^\\x00-/:-@\\[-`{-\\x7F]'
const orHyphen = '[^\\x00-,./:-@\\[-`{-\\x7F]'
const label = `${inLabel}(?:${orHyphen}{0,61}${inLabel})?`

/** email: see docs/reference/types.md. Which characters beyond ASCII are letters and digits is not said. */
export const emailPattern = matching(
  String.raw`^${local}(?:\.${local})*@(?:${label}\.)+${label}$`,
  '^[^@]{1,64}@',
  // The last label has two characters and is no number.
  '[^.@]{2}$',
  '[^0-9.@][^.@]*$',
)
