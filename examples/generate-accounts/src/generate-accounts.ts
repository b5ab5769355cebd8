import type { AccountPayload } from '@account-import/core'
import { accountOf } from './account.js'
import { planOf } from './account-plan.js'
import { injectFaults } from './faults/inject-faults.js'
import type { Findings } from './faults/fault.js'
import { defaultOptions, type GeneratorOptions } from './options.js'
import { Random } from './random/random.js'
import { seedOf } from './random/seed.js'

/**
 * A generated account. `payload` is valid unless faults were put in: then `expected` lists what validation with
 * the built-in settings finds, no more and no less.
 */
export type GeneratedAccount = Readonly<{ number: string; payload: unknown; expected: Findings }>

const nothing: Findings = { errors: [], warnings: [] }

/** Numbers reserved for the supply points of one seed's 10^9 accounts. */
const ORDINALS_PER_SEED = 1_000_000_000

const prefixOf = (supplier: string): string =>
  supplier
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 3) || 'ACC'

const externalNumber = ({ supplier, prefix }: GeneratorOptions, index: number): string =>
  `${prefix || prefixOf(supplier)}-${String(index + 1).padStart(8, '0')}`

const faultsWanted = (
  random: Random,
  { invalidShare, warningShare }: GeneratorOptions,
): 'error' | 'warning' | undefined => {
  const draw = random.below(1_000_000) / 1_000_000
  if (draw < invalidShare) return 'error'
  return draw < invalidShare + warningShare ? 'warning' : undefined
}

/** The account of an index; accounts do not depend on each other. */
export const generateAccount = (options: GeneratorOptions, index: number): GeneratedAccount => {
  const seed = seedOf(options.seed)
  const random = new Random(seed, index)
  const number = externalNumber(options, index)
  const ordinal = (seed % 200) * ORDINALS_PER_SEED + index
  const wanted = faultsWanted(random, options)
  const account: AccountPayload = accountOf(random, planOf(random, options), {
    supplier: options.supplier,
    number,
    ordinal,
  })
  return wanted === undefined
    ? { number, payload: account, expected: nothing }
    : { number, ...injectFaults(random, account, wanted) }
}

/** Generates accounts one by one, so that any number of them needs little memory. */
export function* generateAccounts(
  options: Partial<GeneratorOptions>,
): Generator<GeneratedAccount, void, undefined> {
  const all = { ...defaultOptions, ...options }
  for (let index = 0; index < all.count; index++) yield generateAccount(all, index)
}
