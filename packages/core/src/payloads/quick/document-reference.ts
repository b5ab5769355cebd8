// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainPath } from '../../codec/quick/plain-path.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['document_path'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole document reference, with fields in table order and none unknown. */
export const isDocumentReference = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 1) return false
  const { document_path } = object as Sent
  return (
    count === 1 &&
    inheritsNothing(object as Sent) &&
    (isPlainPath(document_path, 1024) || readSilently(childOf(part, 0), document_path, reading))
  )
}
