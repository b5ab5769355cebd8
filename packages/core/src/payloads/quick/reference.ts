// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainKey, isPlainTerm } from '../../codec/quick/plain-text.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['namespace', 'value'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole reference, with fields in table order and none unknown. */
export const isReference = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 2) return false
  const { namespace, value } = object as Sent
  return (
    count === 2 &&
    inheritsNothing(object as Sent) &&
    (isPlainKey(namespace, 50) || readSilently(childOf(part, 0), namespace, reading)) &&
    (isPlainTerm(value, 100) || readSilently(childOf(part, 1), value, reading))
  )
}
