import * as t from 'io-ts'

/** The codec for a variable that has no default: empty is `undefined`. */
export const optional = <A>(codec: t.Decoder<string, A>): t.Decoder<string, A | undefined> => ({
  name: `optional ${codec.name}`,
  validate: (text, context) => (text === '' ? t.success(undefined) : codec.validate(text, context)),
  decode: (text) => (text === '' ? t.success(undefined) : codec.decode(text)),
})
