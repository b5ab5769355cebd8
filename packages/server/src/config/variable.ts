import { E, type Either } from '@account-import/core/adapter-kit'
import type * as t from 'io-ts'

/** One thing that is wrong with the configuration; `detail` completes the sentence and shows no secret. */
export type ConfigFault = Readonly<{ variable: string; detail: string }>

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * One environment variable: its name, what it decodes to, and the text that holds when it is not set. A blank
 * one counts as not set, as compose files and shells leave them behind.
 */
export type Variable<A> = Readonly<{
  name: string
  codec: t.Decoder<string, A>
  fallback: string
  /** Secret ones are never quoted. */
  secret?: boolean
}>

const longestQuote = 60

const quoted = (text: string): string =>
  text.length > longestQuote ? `a text of ${text.length} characters` : JSON.stringify(text)

/** The decoded value, or the one thing that is wrong with it. */
export const readVariable = <A>(variable: Variable<A>, environment: Environment): Either<ConfigFault, A> => {
  const set = environment[variable.name]
  const text = set === undefined || set.trim() === '' ? variable.fallback : set
  const decoded = variable.codec.decode(text)
  if (decoded._tag === 'Right') return decoded
  const detail = decoded.left[0]?.message ?? 'is not valid'
  const got = variable.secret === true ? ' (what was given is not shown)' : `, not ${quoted(text)}`
  return E.left({ variable: variable.name, detail: `${detail}${got}` })
}
