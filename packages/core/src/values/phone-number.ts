import {
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max'
import { parsePhoneNumberFromString as parseBy } from 'libphonenumber-js/core'
import { judgePhoneKind } from './phone-kind.js'
import { parsingMetadata } from './phone-metadata.js'
import { countryOfCallingCode, numberingPlan, type NumberingPlan } from './phone-numbering.js'

/**
 * What is known of a phone number: section 8.4.
 *
 * - `impossible`: it does not parse, has no possible length, or has an extension
 * - `doubtful`: possible, but no such number is in use
 * - `mobile`: valid, and can be a mobile number; `other`: valid, and cannot
 */
export type PhoneJudgement = 'impossible' | 'doubtful' | 'mobile' | 'other'

/** Judges a number parsed whole, a national one as of the default country. */
export const judgePhoneNumber = (text: string, defaultCountry: string): PhoneJudgement =>
  judgeCommonForm(text, defaultCountry) ??
  (isNoNumber(text) ? 'impossible' : judgeParsed(text, defaultCountry))

/** The judgement of libphonenumber-js itself, which knows every form and takes its time. */
export const judgePhoneNumberByLibrary = (text: string, defaultCountry: string): PhoneJudgement =>
  judgeKindByLibrary(parsePhoneNumberFromString(text, optionsFor(defaultCountry)))

/** Parsing is left to the library, what the number is only where its country is not certain. */
const judgeParsed = (text: string, defaultCountry: string): PhoneJudgement => {
  const phone = parseBy(text, optionsFor(defaultCountry), parsingMetadata())
  if (!isPossible(phone) || phone.country === undefined) return judgeKindByLibrary(phone)
  return judgePhoneKind(phone.country, phone.nationalNumber) ?? judgeKindByLibrary(phone)
}

const optionsFor = (country: string): Readonly<{ extract: false; defaultCountry?: CountryCode }> => ({
  extract: false,
  ...(isSupportedCountry(country as CountryCode) && { defaultCountry: country as CountryCode }),
})

const isPossible = (phone: PhoneNumber | undefined): phone is PhoneNumber =>
  phone !== undefined && phone.ext === undefined && phone.isPossible()

const judgeKindByLibrary = (phone: PhoneNumber | undefined): PhoneJudgement => {
  if (!isPossible(phone)) return 'impossible'
  if (!phone.isValid()) return 'doubtful'
  const type = phone.getType()
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? 'mobile' : 'other'
}

/**
 * Whether the library surely finds no number, which takes it long to say: there are not even two digits, or a
 * letter is the last character, though neither numbers nor extensions end in one; only URIs may.
 */
const isNoNumber = (text: string): boolean =>
  !/\p{Nd}[^]*\p{Nd}/u.test(text) || (/[A-Za-z]$/.test(text) && !/[:;]/.test(text))

/** ASCII digits in groups, maybe after a plus sign, which no other reading than the plain one applies to. */
const commonForm = /^\+?[0-9](?:[- ]?[0-9])+$/

const ungrouped = /^\+?[0-9]{2,}$/

/** The same judgement for the numbers that almost everybody has; undefined where only the library can tell. */
const judgeCommonForm = (text: string, defaultCountry: string): PhoneJudgement | undefined => {
  const isUngrouped = ungrouped.test(text)
  if (!isUngrouped && !commonForm.test(text)) return undefined
  const digits = isUngrouped ? text.slice(text.startsWith('+') ? 1 : 0) : text.replace(/[-+ ]/g, '')
  const plan = numberingPlan(defaultCountry)
  if (text.startsWith('+')) return judgeInternational(digits, plan)
  if (plan === undefined || plan.international.test(digits) || digits.startsWith(plan.callingCode))
    return undefined
  return judgeNational(digits, plan)
}

/** Most numbers are of the default country; no other calling code begins with that of its plan. */
const judgeInternational = (
  digits: string,
  defaultPlan: NumberingPlan | undefined,
): PhoneJudgement | undefined => {
  if (defaultPlan !== undefined && digits.startsWith(defaultPlan.callingCode))
    return judgeNational(digits.slice(defaultPlan.callingCode.length), defaultPlan)
  const code = countryOfCallingCode(digits)
  const plan = code && numberingPlan(code.country)
  return code && plan && judgeNational(digits.slice(code.end), plan)
}

const judgeNational = (number: string, plan: NumberingPlan): PhoneJudgement | undefined => {
  if (!plan.lengths.includes(number.length) || plan.prefix?.test(number) || !plan.number.test(number))
    return undefined
  if (plan.mobile.test(number)) return 'mobile'
  return plan.fixedLine.test(number) ? 'other' : undefined
}
