// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDatetime } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainText } from '../../codec/quick/plain-text.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'
import { isDocumentReference } from './document-reference.js'

const areDocumentPaths = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isDocumentReference(item, each, reading)) return false
  }
  return true
}

const names = ['body', 'document_paths', 'created_at', 'is_pinned', 'unpin_at'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole note, with fields in table order and none unknown. */
export const isNote = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 0) return false
  const { body, document_paths, created_at, is_pinned, unpin_at } = object as Sent
  return (
    count === 0 + (body === undefined ? 0 : 1) + (document_paths === undefined ? 0 : 1) + (created_at === undefined ? 0 : 1) + (is_pinned === undefined ? 0 : 1) + (unpin_at === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (body === undefined || (isPlainText(body, 21845) || readSilently(childOf(part, 0), body, reading))) &&
    (document_paths === undefined || areDocumentPaths(document_paths, childOf(part, 1), reading)) &&
    (created_at === undefined || (isPlainDatetime(created_at) || readSilently(childOf(part, 2), created_at, reading))) &&
    (is_pinned === undefined || (typeof is_pinned === 'boolean' || readSilently(childOf(part, 3), is_pinned, reading))) &&
    (unpin_at === undefined || (isPlainDatetime(unpin_at) || readSilently(childOf(part, 4), unpin_at, reading)))
  )
}
