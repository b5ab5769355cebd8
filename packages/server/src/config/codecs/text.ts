import { notAcceptable, textCodec } from './text-codec.js'

/** Any text without the character that ends file names. */
export const text = textCodec<string>('text', (given) =>
  given.includes('\0') ? notAcceptable('must not hold a null character') : given,
)
