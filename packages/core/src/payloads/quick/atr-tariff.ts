// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainTerm } from '../../codec/quick/plain-text.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['value', 'valid_from'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole ATR tariff, with fields in table order and none unknown. */
export const isAtrTariff = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 2) return false
  const { value, valid_from } = object as Sent
  return (
    count === 2 &&
    inheritsNothing(object as Sent) &&
    (isPlainTerm(value, 64) || readSilently(childOf(part, 0), value, reading)) &&
    (isPlainDate(valid_from) || readSilently(childOf(part, 1), valid_from, reading))
  )
}
