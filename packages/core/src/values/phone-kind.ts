import metadata from 'libphonenumber-js/max/metadata'

/** What a possible national number is by the plan of its country: as `PhoneJudgement`. */
export type PhoneKind = 'doubtful' | 'mobile' | 'other'

/** The layout of the library's metadata that this file was written for. */
const KNOWN_VERSION = 4

/** `[pattern, lengths]`; an empty pattern is that of the type before, no lengths are those of the plan. */
type TypeOfNumber = readonly [pattern: string, lengths?: readonly number[]]

type KindJudge = (number: string) => PhoneKind

const judges = new Map<string, KindJudge | undefined>()

/**
 * Judges a national number as the library does when it is asked whether the number is valid and of which type. The
 * library compiles its expressions for each number anew, which takes most of its time. Undefined if it has to be asked.
 */
export const judgePhoneKind = (country: string, number: string): PhoneKind | undefined => {
  if (!judges.has(country)) judges.set(country, readJudge(country))
  return judges.get(country)?.(number)
}

const readJudge = (country: string): KindJudge | undefined => {
  if (metadata.version !== KNOWN_VERSION || !Object.hasOwn(metadata.countries, country)) return undefined
  const plan: readonly unknown[] = metadata.countries[country as keyof typeof metadata.countries] ?? []
  const [, , pattern, lengths] = plan
  const types = plan[11]
  if (typeof pattern !== 'string' || !Array.isArray(lengths) || !Array.isArray(types)) return undefined
  const testOf = (type: unknown): ((number: string) => boolean) =>
    typeTest(type, lengths as readonly number[])
  const [fixedLine, mobile, ...others] = types.map(testOf)
  const isMobileFixedLine = !types[1] || (types[1] as TypeOfNumber)[0] === ''
  const general = wholly(pattern)
  return (number) => {
    if (!general.test(number)) return 'doubtful'
    if (fixedLine?.(number)) return isMobileFixedLine || mobile?.(number) ? 'mobile' : 'other'
    if (mobile?.(number)) return 'mobile'
    return others.some((test) => test(number)) ? 'other' : 'doubtful'
  }
}

/** Whether a number is of a type; of none that the plan does not have. */
const typeTest = (type: unknown, planLengths: readonly number[]): ((number: string) => boolean) => {
  const [pattern, lengths = planLengths] = (type || ['']) as TypeOfNumber
  if (!pattern) return () => false
  const expression = wholly(pattern)
  return (number) => (lengths || planLengths).includes(number.length) && expression.test(number)
}

const wholly = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)
