import { E, type Either } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'

/** One thing that is wrong with the configuration; `detail` completes the sentence and shows no secret. */
export type ConfigFault = Readonly<{ variable: string; detail: string }>

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A codec from the text of an environment variable. Left of `read` is why a text is not acceptable: it completes the sentence that
 * begins with the name of the variable, and becomes the message of the failure.
 */
export const textCodec = <A>(read: (text: string) => Either<string, A>): t.Decoder<string, A> =>
  new t.Type<A, A, string>(
    'text of a variable',
    (u): u is A => u !== undefined,
    (text, context) =>
      E.mapLeft((problem: string) => [{ value: text, context, message: problem }])(read(text)),
    t.identity,
  )

/** A codec of texts that `read` finds a value in; of all others the problem is said. */
export const textOf = <A>(problem: string, read: (text: string) => A | undefined): t.Decoder<string, A> =>
  textCodec((text) => {
    const value = read(text)
    return value === undefined ? E.left(problem) : E.right(value)
  })

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
