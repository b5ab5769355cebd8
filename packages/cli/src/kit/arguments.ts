import type { Instant } from '@account-import/core'
import { fromWireDatetime, isInstant } from '@account-import/core/adapter-kit'
import { InvalidArgumentError } from 'commander'

/** Parses a repeatable option: collects all values in order. */
export const collected =
  <A>(read: (text: string) => A) =>
  (text: string, previous: readonly A[] | undefined): readonly A[] => [...(previous ?? []), read(text)]

/** Reads one of the given words; Commander shows the refusal. */
export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((each) => each === text)
    if (word === undefined) throw new InvalidArgumentError(`Use one of: ${words.join(', ')}.`)
    return word
  }

const form = /^(\d{1,6})([smhd])$/

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Reads a time such as 90s, 30m, 24h or 7d, or 0, in seconds. */
export const duration = (text: string): number => {
  if (text === '0') return 0
  const [, amount = '', unit = ''] = form.exec(text) ?? []
  const seconds = Number(amount) * (unitSeconds[unit] ?? Number.NaN)
  if (Number.isNaN(seconds)) throw new InvalidArgumentError('It must be 0 or a time such as 30m, 24h or 7d.')
  return seconds
}

const read = (text: string): Instant | undefined => {
  const datetime = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(datetime)) return undefined
  const instant = fromWireDatetime(datetime)
  // Date carries over days that do not exist, such as 30 February; writing it again shows that.
  return isInstant(instant) && new Date(instant).toISOString() === instant ? instant : undefined
}

/** Reads `YYYY-MM-DDTHH:MM:SSZ`, or `YYYY-MM-DD` for the beginning of that day in UTC. */
export const instantArgument = (text: string): Instant => {
  const instant = read(text)
  if (instant === undefined)
    throw new InvalidArgumentError('Use a date such as 2030-12-31T00:00:00Z or 2030-12-31.')
  return instant
}

/** Reads a whole number from `min` to `max`. */
export const wholeNumber =
  (min: number, max = 999_999_999) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
    if (!(number >= min && number <= max))
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`)
    return number
  }

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The options that were given: without those that are undefined. */
export const given = <T extends object>(options: T): Given<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>
