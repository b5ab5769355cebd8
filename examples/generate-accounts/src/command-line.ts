import { parseArgs } from 'node:util'
import { defaultOptions, profiles, type GeneratorOptions, type Profile } from './options.js'

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

const share = (name: string, text: string): number => {
  const value = Number(text)
  if (!(text !== '' && value >= 0 && value <= 1)) throw new TypeError(`--${name} is a number from 0 to 1`)
  return value
}

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError('--count is a whole number of at most nine digits')
  return Number(text)
}

const profile = (text: string): Profile => {
  const known = profiles.find((each) => each === text)
  if (known === undefined) throw new TypeError(`--profile is one of ${profiles.join(', ')}`)
  return known
}

const supplier = (text: string): string => {
  if (!/^[\w.-]{1,32}$/.test(text))
    throw new TypeError('--supplier is at most 32 letters, digits, hyphens, dots and underscores')
  return text
}

const prefix = (text: string): string => {
  if (!/^[\w.-]{0,32}$/.test(text))
    throw new TypeError('--prefix is at most 32 letters, digits, hyphens, dots and underscores')
  return text
}

const parse = (args: readonly string[]): Command => {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: text(String(defaultOptions.count)),
      seed: text(defaultOptions.seed),
      supplier: text(defaultOptions.supplier),
      prefix: text(defaultOptions.prefix),
      'invalid-share': text(String(defaultOptions.invalidShare)),
      'warning-share': text(String(defaultOptions.warningShare)),
      profile: text(defaultOptions.profile),
      out: { type: 'string' },
      expected: { type: 'string' },
    },
  })
  const options: GeneratorOptions = {
    count: count(values.count),
    seed: values.seed,
    supplier: supplier(values.supplier),
    prefix: prefix(values.prefix),
    invalidShare: share('invalid-share', values['invalid-share']),
    warningShare: share('warning-share', values['warning-share']),
    profile: profile(values.profile),
  }
  if (options.invalidShare + options.warningShare > 1)
    throw new TypeError('--invalid-share and --warning-share are at most 1 together')
  return { options, out: values.out, expected: values.expected }
}

/** Reads the command line, or returns its fault. */
export const readCommand = (args: readonly string[]): Command | string => {
  try {
    return parse(args)
  } catch (cause) {
    if (cause instanceof TypeError) return cause.message
    throw cause
  }
}
