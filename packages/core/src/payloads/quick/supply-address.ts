// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainText } from '../../codec/quick/plain-text.js'
import { childOf, isMember, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder } from '../../codec/quick/holders.js'
import { isStructuredStreetAddress } from './structured-street-address.js'

const names = ['locality', 'administrative_area', 'postal_code', 'country', 'structured_street_address'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole supply address, with fields in table order and none unknown. */
export const isSupplyAddress = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 1) return false
  const { locality, administrative_area, postal_code, country, structured_street_address } = object as Sent
  return (
    count === 1 + (locality === undefined ? 0 : 1) + (administrative_area === undefined ? 0 : 1) + (postal_code === undefined ? 0 : 1) + (structured_street_address === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (locality === undefined || (isPlainText(locality, 512) || readSilently(childOf(part, 0), locality, reading))) &&
    (administrative_area === undefined || (isPlainText(administrative_area, 512) || readSilently(childOf(part, 1), administrative_area, reading))) &&
    (postal_code === undefined || (isPlainText(postal_code, 512) || readSilently(childOf(part, 2), postal_code, reading))) &&
    (isMember(childOf(part, 3), country) || readSilently(childOf(part, 3), country, reading)) &&
    (structured_street_address === undefined || isStructuredStreetAddress(structured_street_address, childOf(part, 4), reading))
  )
}
