import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * Whether the text is an e-mail address: a local part of 1 to 64 characters in groups joined by single dots; a
 * domain of at least two labels, the last of 2 or more characters and not all digits.
 */
export const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@')
  return at >= 1 && at <= 64 && isLocalPart(text, at) && isDomain(text.slice(at + 1))
}

const DOT = 0x2e

/** For each ASCII character, whether the groups of a local part may contain it. */
const inLocalPart: readonly boolean[] = Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]/.test(String.fromCharCode(unit)),
)

const isLocalPart = (text: string, end: number): boolean => {
  let before = DOT
  for (let index = 0; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (unit === DOT ? before === DOT : inLocalPart[unit] !== true) return false
    before = unit
  }
  return before !== DOT
}

const label = '(?!-)[\\p{L}\\p{M}\\p{Nd}-]{1,63}(?<!-)'
const domainForm = new RegExp(`^(?:${label}\\.)+(?!\\p{Nd}+$)(?=..)${label}$`, 'u')

const isDomain = (domain: string): boolean => domainForm.test(domain)

/**
 * The facts about a phone number; see docs/reference/types.md.
 *
 * - `impossible`: it does not parse, has no possible length, or has an extension
 * - `doubtful`: possible, but no such number is in use
 * - `mobile`: valid, and can be a mobile number; `other`: valid, and cannot
 */
type PhoneNumberKind = 'impossible' | 'doubtful' | 'mobile' | 'other'

/** The size of the cache: an account has the same numbers when it is validated, staged and processed. */
const KEPT = 10_000

const known = new Map<string, PhoneNumberKind>()

/** Validates a number; a national one is a number of the default country. */
export const phoneNumberKind = (text: string, defaultCountry: string): PhoneNumberKind => {
  const key = `${defaultCountry} ${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  const kind = kindAnew(text, defaultCountry)
  if (known.size >= KEPT) known.clear()
  known.set(key, kind)
  return kind
}

/** The most digits that a country code and a national number have together, for the library. */
const MOST_DIGITS = 20

/** Whether there are more digits than any number has, as the library would take long for them; parts of a URI may have more. */
const hasTooManyDigits = (text: string): boolean =>
  text.length > MOST_DIGITS && !text.includes(';') && text.replaceAll(/\P{Nd}/gu, '').length > MOST_DIGITS

/**
 * The text without what people write beside a number: brackets round the country code, `(0)` behind it, and one last comma, point
 * or semicolon.
 */
const cleaned = (text: string): string =>
  text
    .replace(/^\s*\(\s*((?:\+|00)\d{1,3})\s*\)/, '$1 ')
    .replace(/^(\s*(?:\+|00)\d{1,3}\s*)\(0\)/, '$1 ')
    .replace(/\s*[,.;]\s*$/, '')

const kindAnew = (text: string, country: string): PhoneNumberKind => {
  const kind = kindOf(text, country)
  // In some countries, such as Italy, the zero in brackets is a part of the number, so the text as it is comes first.
  const clean = kind === 'impossible' ? cleaned(text) : text
  return clean === text ? kind : kindOf(clean, country)
}

const kindOf = (text: string, country: string): PhoneNumberKind => {
  if (hasTooManyDigits(text)) return 'impossible'
  const phone = parsePhoneNumberFromString(text, {
    extract: false,
    ...(isSupportedCountry(country as CountryCode) && { defaultCountry: country as CountryCode }),
  })
  if (phone === undefined || phone.ext !== undefined || !phone.isPossible()) return 'impossible'
  const type = phone.getType()
  // A number that has a type is valid; in a country whose plan has no types, a number without one may be valid.
  if (type === undefined) return phone.isValid() ? 'other' : 'doubtful'
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? 'mobile' : 'other'
}
