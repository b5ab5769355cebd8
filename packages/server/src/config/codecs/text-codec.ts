import * as t from 'io-ts'

/** Why a text is not acceptable: completes the sentence that begins with the name of the variable. */
export type NotAcceptable = Readonly<{ problem: string }>

export const notAcceptable = (problem: string): NotAcceptable => ({ problem })

const isNotAcceptable = (read: unknown): read is NotAcceptable =>
  typeof read === 'object' && read !== null && 'problem' in read

/** A codec from the text of an environment variable; what `read` refuses becomes the message of the failure. */
export const textCodec = <A>(name: string, read: (text: string) => A | NotAcceptable): t.Decoder<string, A> =>
  new t.Type<A, A, string>(
    name,
    (u): u is A => u !== undefined,
    (text, context) => {
      const value = read(text)
      return isNotAcceptable(value) ? t.failure(text, context, value.problem) : t.success(value)
    },
    t.identity,
  )
