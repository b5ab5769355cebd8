import metadata from 'libphonenumber-js/max/metadata'

/**
 * What is needed to judge the common numbers of one country without parsing: the expressions of its plan.
 * `prefix` matches numbers that parsing would change; those are left to the library.
 */
export type NumberingPlan = Readonly<{
  callingCode: string
  lengths: readonly number[]
  number: RegExp
  fixedLine: RegExp
  mobile: RegExp
  international: RegExp
  prefix: RegExp | undefined
}>

/** The layout of the library's metadata that this file was written for. */
const KNOWN_VERSION = 4

const plans = new Map<string, NumberingPlan | undefined>()

/** The plan of a country that has its calling code alone; undefined where the library has to decide. */
export const numberingPlan = (country: string): NumberingPlan | undefined => {
  const known = plans.get(country)
  if (known !== undefined) return known
  if (!Object.hasOwn(metadata.countries, country)) return undefined
  if (!plans.has(country)) plans.set(country, readPlan(country as keyof typeof metadata.countries))
  return plans.get(country)
}

/** The country that has the calling code in front of the digits alone, and where the national number begins. */
export const countryOfCallingCode = (
  digits: string,
): Readonly<{ country: string; end: number }> | undefined => {
  // No calling code begins with another one, so the first that is known is the one.
  for (let end = 1; end <= 3; end++) {
    const countries = callingCodes.get(digits.slice(0, end))
    const country = countries?.[0]
    if (country !== undefined) return countries?.length === 1 ? { country, end } : undefined
  }
  return undefined
}

const callingCodes = new Map<string, readonly string[]>(Object.entries(metadata.country_calling_codes))

const readPlan = (country: keyof typeof metadata.countries): NumberingPlan | undefined => {
  const plan: readonly unknown[] = metadata.countries[country] ?? []
  const [callingCode, international, number, lengths] = plan
  const types = plan[11]
  if (metadata.version !== KNOWN_VERSION || !isText(callingCode) || !Array.isArray(types)) return undefined
  const fixedLine = wholeExpression(types[0], lengths)
  const mobile = wholeExpression(types[1], lengths)
  if (callingCodes.get(callingCode)?.length !== 1 || !isText(international) || !isText(number))
    return undefined
  if (fixedLine === undefined || mobile === undefined || !Array.isArray(lengths)) return undefined
  return {
    callingCode,
    lengths,
    number: new RegExp(`^(?:${number})$`),
    fixedLine,
    mobile,
    international: new RegExp(`^(?:${international})`),
    prefix: prefixExpression(plan[7] || plan[5]),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The expression of a type of number that has the lengths of the plan, or of those that it names itself. */
const wholeExpression = (type: unknown, planLengths: unknown): RegExp | undefined => {
  if (!Array.isArray(type) || !isText(type[0])) return undefined
  const lengths: unknown = type[1] ?? planLengths
  if (!Array.isArray(lengths)) return undefined
  const anyLength = lengths.map((length) => `.{${String(length)}}`).join('|')
  return new RegExp(`^(?=(?:${anyLength})$)(?:${type[0]})$`)
}

const prefixExpression = (prefix: unknown): RegExp | undefined =>
  isText(prefix) ? new RegExp(`^(?:${prefix})`) : undefined
