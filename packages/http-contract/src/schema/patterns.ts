import type { DecimalSize } from '@account-import/core/adapter-kit'

// Regular expressions with the flag u, as JSON Schema has them. NUL and halves of character pairs are in none.
const stored = String.raw`\u0000\uD800-\uDFFF`
const control = String.raw`\u0000-\u001F\u007F\uD800-\uDFFF`

/** text(n): may be blank. */
export const textPattern = `^[^${stored}]*$`

/** term(n): has a character that is no white space. */
export const termPattern = String.raw`^\s*[^\s${stored}][^${stored}]*$`

/** key(n): a term without control characters. */
export const keyPattern = String.raw`^[^\S${control}]*[^\s${control}][^${control}]*$`

const year = String.raw`(?:19|[2-9]\d)\d\d`
const leapYear = String.raw`(?:(?:19|[2-9]\d)(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[3579][26])00)`
const dayOfYear = String.raw`(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])`
const day = `(?:${year}-(?:${dayOfYear})|${leapYear}-02-29)`

/** date: a real day from 1900-01-01 to 9999-12-31. */
export const datePattern = `^${day}$`

/** datetime: a time of such a day, in UTC. */
export const datetimePattern = String.raw`^${day}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$`

/** Decimal syntax with at most so many digits; zeros at the end of the fraction do not count. */
export const decimalPattern = ({ whole, decimals, floor }: DecimalSize): string => {
  const sign = floor === 0 ? String.raw`(?:-(?=0(?:\.0+)?$))?` : '-?'
  return String.raw`^${sign}(?:0|[1-9]\d{0,${whole - 1}})(?:\.\d{1,${decimals}}0*)?$`
}

const local = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = String.raw`(?!-)[\p{L}\p{M}\p{Nd}-]{1,63}(?<!-)`

/** email: see docs/reference/types.md. */
export const emailPattern = String.raw`^(?=[^@]{1,64}@)${local}(?:\.${local})*@(?:${label}\.)+(?!\p{Nd}+$)(?=..)${label}$`
