import { accountOf } from './account.js'
import { defaultOptions, type GeneratorOptions } from './command-line.js'
import { chance, faker } from './random.js'
import type { Findings } from './faults/fault.js'
import { injectFaults } from './faults/inject-faults.js'

/**
 * A generated account. `payload` is valid unless faults were put in: then `expected` lists what validation with the built-in settings
 * finds, no more and no less.
 */
export type GeneratedAccount = Readonly<{ number: string; payload: unknown; expected: Findings }>

/** Supply points of an account, and accounts of a seed, have numbers of their own. */
const [POINTS_PER_ACCOUNT, POINTS_PER_SEED] = [4, 4_000_000_000]

/** A text as a 32-bit number: FNV-1a over its UTF-16 code units. */
const seedOf = (text: string): number =>
  Array.from(text).reduce(
    (hash, unit) => Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  ) >>> 0

const prefixOf = ({ supplier, prefix }: GeneratorOptions): string =>
  prefix ||
  supplier
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 3) ||
  'ACC'

/** The account of an index; accounts do not depend on each other. */
export const generateAccount = (options: GeneratorOptions, index: number): GeneratedAccount => {
  const { supplier, invalidShare, warningShare, profile } = options
  const seed = seedOf(options.seed)
  faker.seed([seed, index])
  const number = `${prefixOf(options)}-${String(index + 1).padStart(8, '0')}`
  const ordinal = (seed % 200) * POINTS_PER_SEED + index * POINTS_PER_ACCOUNT
  const isInvalid = chance(invalidShare)
  const isWarned = !isInvalid && chance(Math.min(1, warningShare / (1 - invalidShare)))
  const payload = accountOf(profile, { supplier, number, ordinal })
  if (!isInvalid && !isWarned) return { number, payload, expected: { errors: [], warnings: [] } }
  return { number, ...injectFaults(payload, isInvalid ? 'error' : 'warning') }
}

/** Generates accounts one by one, so that any number of them needs little memory. */
export function* generateAccounts(
  options: Partial<GeneratorOptions>,
): Generator<GeneratedAccount, void, undefined> {
  const all = { ...defaultOptions, ...options }
  for (let index = 0; index < all.count; index++) yield generateAccount(all, index)
}
