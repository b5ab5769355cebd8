import { parseArgs } from 'node:util'

/** A command of the harness: its usage, and its exit code after a run with these arguments. */
export type Command = Readonly<{ usage: string; run(args: readonly string[]): Promise<number> }>

/** An invalid command line. */
export class WrongOption extends Error {}

/** Flags are off unless given; all other options have a text, which `given` reads. */
export type Given = Readonly<{
  /** A whole number from `least` (1) to `most`, or the default if it is absent. */
  count(name: string, otherwise: number, most?: number, least?: number): number
  /** One of these words; the first where none is given. */
  word<Word extends string>(name: string, words: readonly Word[]): Word
  /** Some of these words, with commas; all where none is given. */
  words<Word extends string>(name: string, words: readonly Word[]): readonly Word[]
  text(name: string): string
  isGiven(flag: string): boolean
}>

const givenIn = (values: Readonly<Record<string, string | boolean | undefined>>): Given => {
  const text = (name: string): string => String(values[name] ?? '')
  const known = <Word extends string>(name: string, given: string, words: readonly Word[]): Word => {
    const found = words.find((word) => word === given)
    if (found === undefined) throw new WrongOption(`--${name} is one of ${words.join(', ')}`)
    return found
  }
  return {
    text,
    isGiven: (flag) => values[flag] === true,
    count: (name, otherwise, most = 1_000_000, least = 1) => {
      const count = values[name] === undefined ? otherwise : Number(values[name])
      if (Number.isInteger(count) && count >= least && count <= most) return count
      throw new WrongOption(`--${name} is a whole number from ${least} to ${most}`)
    },
    word: (name, words) => known(name, text(name) === '' ? (words[0] ?? '') : text(name), words),
    words: (name, words) =>
      text(name) === ''
        ? words
        : text(name)
            .split(',')
            .map((word) => known(name, word, words)),
  }
}

/** A command with these options and flags; an invalid command line ends with 2 and a message. */
export const command = (
  usage: string,
  { texts, flags = [] }: Readonly<{ texts: readonly string[]; flags?: readonly string[] }>,
  work: (given: Given) => Promise<boolean>,
): Command => ({
  usage,
  run: async (args) => {
    try {
      const options = [
        ...texts.map((name) => [name, { type: 'string' }] as const),
        ...flags.map((name) => [name, { type: 'boolean' }] as const),
      ]
      const { values } = parseArgs({ args: [...args], options: Object.fromEntries(options) })
      return (await work(givenIn(values as Record<string, string | boolean | undefined>))) ? 0 : 1
    } catch (cause) {
      const isUsage = cause instanceof WrongOption || (cause instanceof TypeError && 'code' in cause)
      if (!isUsage) throw cause
      console.error(`${cause.message}\n\n${usage}`)
      return 2
    }
  },
})
