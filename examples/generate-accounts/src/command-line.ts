import { parseArgs } from 'node:util'

/**
 * The options of the generator, as the usage describes them; shares are probabilities from 0 to 1, and at most 1 together.
 * Profiles: the last month alone, as much as in a usual migration, or about 100 KB.
 */
export type GeneratorOptions = Readonly<{
  count: number
  seed: string
  supplier: string
  prefix: string
  invalidShare: number
  warningShare: number
  profile: 'small' | 'typical' | 'heavy'
}>

export type Profile = GeneratorOptions['profile']

/** The options of the generator, and the files to write; without `out`, accounts go to stdout. */
export type Command = Readonly<{
  options: GeneratorOptions
  out: string | undefined
  expected: string | undefined
}>

export const usage = `npm run generate-accounts -- [options]
  --count N           how many accounts (1000)
  --seed TEXT         another seed, other accounts; the same options, the same bytes (1)
  --supplier CODE     the import supplier that they name (LEVANTE)
  --prefix TEXT       begins each account number (the first three letters of the supplier)
  --invalid-share P   probability, 0 to 1, that an account has one to five faults (0)
  --warning-share P   probability that it has warnings only (0)
  --profile NAME      small: about 4 KB each; typical: about 8 KB; heavy: about 110 KB (typical)
  --out FILE          one account a line, packed if the name ends in .gz (stdout)
  --expected FILE     for each account with faults, what validation finds in it, and in which line it stands`

const share = [/^(?:0(?:\.\d*)?|1(?:\.0*)?)$/, 'a number from 0 to 1'] as const

/** The form of each value, in words too. */
const forms: Readonly<Record<string, readonly [form: RegExp, words: string]>> = {
  count: [/^\d{1,9}$/, 'a whole number of at most nine digits'],
  supplier: [/^[\w.-]{1,32}$/, 'at most 32 letters, digits, hyphens, dots and underscores'],
  prefix: [/^[\w.-]{0,32}$/, 'at most 32 letters, digits, hyphens, dots and underscores'],
  profile: [/^(?:small|typical|heavy)$/, 'one of small, typical, heavy'],
  'invalid-share': share,
  'warning-share': share,
}

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const

const defaults = {
  count: text('1000'),
  seed: text('1'),
  supplier: text('LEVANTE'),
  prefix: text(''),
  'invalid-share': text('0'),
  'warning-share': text('0'),
  profile: text('typical'),
}

/** Reads the command line; throws a `TypeError` with its fault. */
export const readCommand = (args: readonly string[]): Command => {
  const files = { out: { type: 'string' }, expected: { type: 'string' } } as const
  const { out, expected, ...values } = parseArgs({
    args: [...args],
    options: { ...defaults, ...files },
  }).values
  for (const [name, [form, words]] of Object.entries(forms))
    if (!form.test(values[name as keyof typeof values])) throw new TypeError(`--${name} is ${words}`)
  const { 'invalid-share': invalid, 'warning-share': warning, ...given } = values
  const [count, invalidShare, warningShare] = [Number(given.count), Number(invalid), Number(warning)]
  if (invalidShare + warningShare > 1)
    throw new TypeError('--invalid-share and --warning-share are at most 1 together')
  const options = { ...given, count, invalidShare, warningShare, profile: given.profile as Profile }
  return { options, out, expected }
}

export const defaultOptions = readCommand([]).options
