const ZERO = 0x30
const HYPHEN = 0x2d
const COLON = 0x3a
const LETTER_T = 0x54
const LETTER_Z = 0x5a

/** More than any two digits. */
const NO_DIGITS = 100

/** The number that two ASCII digits stand for; `NO_DIGITS` if there is anything else. Always a small integer. */
const pair = (text: string, at: number): number => {
  // Of all units, only those of digits become 0 to 9.
  const tens = text.charCodeAt(at) ^ ZERO
  const ones = text.charCodeAt(at + 1) ^ ZERO
  return tens <= 9 && ones <= 9 ? tens * 10 + ones : NO_DIGITS
}

const hasLongMonth = (month: number): boolean => month < 8 === (month % 2 === 1)

/** All days but those of leap years, which are left to the calendar. */
const startsWithDay = (text: string): boolean => {
  const century = pair(text, 0)
  const month = pair(text, 5)
  const day = pair(text, 8)
  return (
    century >= 19 &&
    century < NO_DIGITS &&
    pair(text, 2) < NO_DIGITS &&
    text.charCodeAt(4) === HYPHEN &&
    text.charCodeAt(7) === HYPHEN &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    (day <= 28 || (day <= 30 && month !== 2) || (day === 31 && hasLongMonth(month)))
  )
}

/** Days that were found plain before: accounts name few different ones, and short texts are quickly looked up. */
const known = new Set<unknown>()

/** So many days are remembered, eleven years, before they are forgotten together. */
const MOST = 4096

export const isPlainDate = (value: unknown): boolean =>
  known.has(value) ||
  (typeof value === 'string' && value.length === 10 && startsWithDay(value) && remember(value))

const remember = (day: string): true => {
  if (known.size >= MOST) known.clear()
  known.add(day)
  return true
}

export const isPlainDatetime = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length === 20 &&
  startsWithDay(value) &&
  value.charCodeAt(10) === LETTER_T &&
  pair(value, 11) <= 23 &&
  value.charCodeAt(13) === COLON &&
  pair(value, 14) <= 59 &&
  value.charCodeAt(16) === COLON &&
  pair(value, 17) <= 59 &&
  value.charCodeAt(19) === LETTER_Z
