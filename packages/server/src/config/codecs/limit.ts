import type * as t from 'io-ts'
import { wholeNumber } from './whole-number.js'
import { notAcceptable, textCodec } from './text-codec.js'

const most = 10_000

/** How many at once, or `off`, which decodes to `undefined`. */
export const limit: t.Decoder<string, number | undefined> = textCodec<number | undefined>('limit', (text) => {
  if (text === 'off') return undefined
  const number = wholeNumber(1, most).decode(text)
  return number._tag === 'Right'
    ? number.right
    : notAcceptable(`must be off or a whole number from 1 to ${most}`)
})
