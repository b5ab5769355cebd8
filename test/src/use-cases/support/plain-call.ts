import type { PlainResult } from '@account-import/core'
import type { PlainWorld } from './plain-world.js'

/** The names of all functions in it, `operator.createTeam` among them. */
export type NamesOf<Part, Above extends string = ''> = {
  [Name in keyof Part & string]: Part[Name] extends (...given: never[]) => unknown
    ? `${Above}${Name}`
    : Part[Name] extends object
      ? NamesOf<Part[Name], `${Above}${Name}.`>
      : never
}[keyof Part & string]

export type Call = (world: PlainWorld) => Promise<PlainResult<Readonly<{ _tag: string }>, unknown>>

/** One that succeeds; and one that is refused, by the tag, where the use case refuses anything by itself. */
export type PlainCall = Readonly<{
  /** What there has to be before. */
  given?: (world: PlainWorld) => Promise<unknown>
  succeeds: Call
  /** How one goes on whose call failed; by the same call, where nothing is said. */
  again?: Call
  /** What the same call is refused with once it is done, by the tag. */
  done?: string
  refused?: readonly [tag: string, call: Call]
}>
