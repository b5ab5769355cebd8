import type { MetadataJson } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/max/metadata'

/** The layout of the library's metadata that this file was written for. */
const KNOWN_VERSION = 4

const PATTERN = 2
const LENGTHS = 3
const LEADING_DIGITS = 10
const TYPES = 11

type Plan = readonly unknown[]

/** `[pattern, lengths]`; lengths are those of the plan where there are none. */
type TypeOfNumber = readonly [pattern: string, lengths?: readonly number[]]

const isUsed = (type: TypeOfNumber | 0): type is TypeOfNumber => type !== 0 && type[0] !== ''

/** The types that a plan has; it may have none. */
const typesOf = (plan: Plan): readonly TypeOfNumber[] => {
  const types = plan[TYPES]
  return Array.isArray(types) ? (types as readonly (TypeOfNumber | 0)[]).filter(isUsed) : []
}

const typePattern = ([pattern, lengths]: TypeOfNumber, plan: Plan): string => {
  const lengthsOfAny = (lengths || (plan[LENGTHS] as readonly number[])).map((length) => `.{${length}}`)
  return `(?=(?:${lengthsOfAny.join('|')})$)(?:${pattern})$`
}

/**
 * Matches the numbers that are of some type of the plan. An expression and no text of one: what searches by it would
 * have to compile the text each time.
 */
const anyType = (plan: Plan): RegExp => {
  const patterns = typesOf(plan).map((type) => typePattern(type, plan))
  return patterns.length === 0
    ? /(?!)/
    : new RegExp(`^(?=(?:${String(plan[PATTERN])})$)(?:${patterns.join('|')})`)
}

const leadingDigitsOf = (plan: Plan): unknown =>
  typeof plan[LEADING_DIGITS] === 'string' && plan[LEADING_DIGITS] !== ''
    ? new RegExp(plan[LEADING_DIGITS])
    : anyType(plan)

const withLeadingDigits = (plan: Plan): Plan =>
  Array.from({ length: Math.max(plan.length, TYPES) }, (_, at) =>
    at === LEADING_DIGITS ? leadingDigitsOf(plan) : (plan[at] ?? 0),
  )

const makeParsingMetadata = (): MetadataJson => {
  if (metadata.version !== KNOWN_VERSION) return metadata
  const countries: Record<string, unknown> = { ...metadata.countries }
  for (const sharing of Object.values(metadata.country_calling_codes))
    if (sharing.length > 1)
      for (const country of sharing)
        countries[country] = withLeadingDigits(metadata.countries[country] as Plan)
  return { ...metadata, countries: countries as MetadataJson['countries'] }
}

let made: MetadataJson | undefined

/**
 * The library's metadata, by which it finds the country of a number faster, and the same one: where countries share a
 * calling code, it tries the expressions of all types of number of one after the other, and compiles each of them
 * anew for every number. Here leading digits, which it looks at first and as one constant expression, say as much.
 */
export const parsingMetadata = (): MetadataJson => (made ??= makeParsingMetadata())
