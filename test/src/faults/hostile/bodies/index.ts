import { crowds } from './crowds.js'
import { bodyLimit, shuffled, times } from './make.js'
import { shapes } from './shapes.js'
import { texts } from './texts.js'
import { builtInSettings, type LocalDate } from '@account-import/core'
import { checkAccountPayload, E } from '@account-import/core/adapter-kit'
import { readFileSync } from 'node:fs'

/** Accounts without customers say so, so that nothing is wrong with them but what the fields do. */
const textOf = (fields: object): string =>
  JSON.stringify({
    import_supplier: 'LEVANTE',
    external_account_number: 'A-1',
    ...('customers' in fields ? {} : { unknown_occupier: true }),
    ...fields,
  })

/** A text between two others, over and over until the body is full. */
const repeated = (before: string, part: (index: number) => string, after: string): string => {
  const length = Math.floor((bodyLimit - before.length - after.length) / part(1_000_000).length)
  return before + times(length, part).join('') + after
}

/** What objects cannot say: keys that come twice, and numbers as they are written. */
const written: Readonly<Record<string, () => string>> = {
  'one key over and over': () => repeated('{', () => '"a":1,', '"a":1}'),
  'two known keys in turns': () => repeated('{', () => '"notes":[],"ledgers":[],', '"a":1}'),
  'numbered keys in no order': () => repeated('{', (index) => `"${shuffled(index)}":1,`, '"a":1}'),
  'numbers of many digits': () =>
    repeated('{"metadata":[{"key":"k","value":{"a":[', () => '1e400,', '1]}}]}'),
  'a number of five million digits': () => repeated('{"ledgers":[{"ledger_balance":', () => '9', '}]}'),
  'a fraction of five million digits': () => repeated('{"ledgers":[{"ledger_balance":0.', () => '1', '}]}'),
  escapes: () => repeated('{"billing_name":"', () => '\\u00e9', '"}'),
}

/** The JSON of accounts of up to 5 MiB that are made to be slow, by what is done to be so. */
export const hostileBodies: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    Object.entries({ ...crowds, ...texts, ...shapes }).map(([name, make]) => [name, () => textOf(make())]),
  ),
  ...written,
}

/** The time of a processor that this thread has taken, where the system tells; else that of the whole process. */
export const threadMilliseconds = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1_000_000
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/**
 * Runs something at once, and tells how many milliseconds of a processor the event loop spent on it: not those that
 * other processes took from it meanwhile, nor those of the helpers that collect garbage and compile beside it.
 */
const timeOnLoop = <A>(run: () => A): Readonly<{ result: A; milliseconds: number }> => {
  const before = threadMilliseconds()
  const result = run()
  return { result, milliseconds: threadMilliseconds() - before }
}

/**
 * What the body of an account costs, and how much is said of it. `bytes` of the body; milliseconds of the event loop:
 * `parse` for parsing it as JSON, `first` for validating it when nothing is warm, `best` of all rounds.
 */
export type Measured = Readonly<{
  bytes: number
  parse: number
  first: number
  best: number
  errors: number
  warnings: number
}>

const context = { settings: builtInSettings, defaultCountry: 'ES', today: '2025-09-01' as LocalDate }

const round = (text: string): Omit<Measured, 'bytes' | 'best'> => {
  const parsed = timeOnLoop(() => JSON.parse(text) as unknown)
  const { result, milliseconds } = timeOnLoop(() => checkAccountPayload(parsed.result, context))
  return {
    parse: parsed.milliseconds,
    first: milliseconds,
    errors: E.isLeft(result) ? result.left.errors.length : 0,
    warnings: (E.isLeft(result) ? result.left : result.right).warnings.length,
  }
}

/** Parses and validates an account: `rounds` times, or up to three more if it takes longer than `patience`. */
export const measureBody = (text: string, rounds: number, patience = Infinity): Measured => {
  const first = round(text)
  let best = first.first
  for (let made = 1; made < rounds || (made < 4 && best > patience); made++)
    best = Math.min(best, round(text).first)
  return { bytes: Buffer.byteLength(text), ...first, best }
}

/** What parsing the text takes the machine that the limits of time were set on, in milliseconds of its processor. */
const onReference = 11

const accounts = JSON.stringify(
  times(20_000, (index) => ({ id: `T-${index}`, amount: index / 100, type: 'CREDIT', items: [] })),
)

/** How many times as long this machine takes for the same work as the one that the limits were set on; at least 1. */
export const slowness = (): number => {
  const taken = times(10, () => timeOnLoop(() => JSON.parse(accounts) as unknown).milliseconds)
  return Math.max(1, Math.min(...taken) / onReference)
}
