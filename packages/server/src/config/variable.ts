import * as t from 'io-ts'

/** One thing that is wrong with the configuration; `detail` completes the sentence and shows no secret. */
export type ConfigFault = Readonly<{ variable: string; detail: string }>

export type Environment = Readonly<Record<string, string | undefined>>

/** Why a text is not acceptable: completes the sentence that begins with the name of the variable. */
export type NotAcceptable = Readonly<{ problem: string }>

export const notAcceptable = (problem: string): NotAcceptable => ({ problem })

const isNotAcceptable = (read: unknown): read is NotAcceptable =>
  typeof read === 'object' && read !== null && 'problem' in read

/** A codec from the text of an environment variable; what `read` refuses becomes the message of the failure. */
export const textCodec = <A>(read: (text: string) => A | NotAcceptable): t.Decoder<string, A> =>
  new t.Type<A, A, string>(
    'text of a variable',
    (u): u is A => u !== undefined,
    (text, context) => {
      const value = read(text)
      return isNotAcceptable(value) ? t.failure(text, context, value.problem) : t.success(value)
    },
    t.identity,
  )

/** A codec of texts that `read` finds a value in; of all others the problem is said. */
export const textOf = <A>(problem: string, read: (text: string) => A | undefined): t.Decoder<string, A> =>
  textCodec((text) => read(text) ?? notAcceptable(problem))

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
