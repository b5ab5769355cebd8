import { E, type Either } from '@account-import/core/fp'
import * as t from 'io-ts'
import { type Environment, variableText } from './environment.js'

/** A fault of the configuration. `detail` follows the name of the variable in a sentence, and contains no secret. */
export type ConfigFault = Readonly<{ variable: string; detail: string }>

/**
 * A codec from the text of an environment variable. A Left of `read` is the fault of the text, as a sentence without its subject,
 * the name of the variable.
 */
export const textCodec = <A>(read: (text: string) => Either<string, A>): t.Decoder<string, A> =>
  new t.Type<A, A, string>(
    'text of a variable',
    (u): u is A => u !== undefined,
    (text, context) =>
      E.mapLeft((problem: string) => [{ value: text, context, message: problem }])(read(text)),
    t.identity,
  )

/** A codec of texts that `read` decodes; `problem` is the fault of all other texts. */
export const textOf = <A>(problem: string, read: (text: string) => A | undefined): t.Decoder<string, A> =>
  textCodec((text) => {
    const value = read(text)
    return value === undefined ? E.left(problem) : E.right(value)
  })

/** One environment variable: its name, its codec, and the text that is decoded when it is not set. */
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

/** The decoded value, or its fault. */
export const readVariable = <A>(variable: Variable<A>, environment: Environment): Either<ConfigFault, A> => {
  const isSet = variableText(environment, variable.name) !== undefined
  const text = (isSet ? environment[variable.name] : undefined) ?? variable.fallback
  const decoded = variable.codec.decode(text)
  if (decoded._tag === 'Right') return decoded
  const detail = decoded.left[0]?.message ?? 'is not valid'
  const got = variable.secret === true ? ' (what was given is not shown)' : `, not ${quoted(text)}`
  return E.left({ variable: variable.name, detail: `${detail}${got}` })
}
