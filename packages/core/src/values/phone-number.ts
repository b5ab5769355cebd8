import { isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max'

/**
 * The facts about a phone number; see docs/reference/types.md.
 *
 * - `impossible`: it does not parse, has no possible length, or has an extension
 * - `doubtful`: possible, but no such number is in use
 * - `mobile`: valid, and can be a mobile number; `other`: valid, and cannot
 */
type PhoneNumberKind = 'impossible' | 'doubtful' | 'mobile' | 'other'

/** How many answers are remembered: the same account comes when it is validated, staged and processed. */
const KEPT = 10_000

const known = new Map<string, PhoneNumberKind>()

/** Validates a number; a national one is read as one of the default country. */
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

/** Whether there are more digits than any number has, which the library takes long to say; parts of a URI may have more. */
const hasTooManyDigits = (text: string): boolean =>
  text.length > MOST_DIGITS && !text.includes(';') && text.replaceAll(/\P{Nd}/gu, '').length > MOST_DIGITS

const kindAnew = (text: string, country: string): PhoneNumberKind => {
  if (hasTooManyDigits(text)) return 'impossible'
  const phone = parsePhoneNumberFromString(text, {
    extract: false,
    ...(isSupportedCountry(country as CountryCode) && { defaultCountry: country as CountryCode }),
  })
  if (phone === undefined || phone.ext !== undefined || !phone.isPossible()) return 'impossible'
  const type = phone.getType()
  // A number that has a type is valid; where a country's plan tells no types apart, one without may be.
  if (type === undefined) return phone.isValid() ? 'other' : 'doubtful'
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? 'mobile' : 'other'
}
