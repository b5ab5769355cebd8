// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainText } from '../../codec/quick/plain-text.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['street_type', 'street_name', 'street_number', 'door', 'floor', 'gate', 'stair', 'block', 'address_extra_info'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole structured street address, with fields in table order and none unknown. */
export const isStructuredStreetAddress = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 0) return false
  const { street_type, street_name, street_number, door, floor, gate, stair, block, address_extra_info } = object as Sent
  return (
    count === 0 + (street_type === undefined ? 0 : 1) + (street_name === undefined ? 0 : 1) + (street_number === undefined ? 0 : 1) + (door === undefined ? 0 : 1) + (floor === undefined ? 0 : 1) + (gate === undefined ? 0 : 1) + (stair === undefined ? 0 : 1) + (block === undefined ? 0 : 1) + (address_extra_info === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (street_type === undefined || (isPlainText(street_type, 255) || readSilently(childOf(part, 0), street_type, reading))) &&
    (street_name === undefined || (isPlainText(street_name, 255) || readSilently(childOf(part, 1), street_name, reading))) &&
    (street_number === undefined || (isPlainText(street_number, 255) || readSilently(childOf(part, 2), street_number, reading))) &&
    (door === undefined || (isPlainText(door, 255) || readSilently(childOf(part, 3), door, reading))) &&
    (floor === undefined || (isPlainText(floor, 255) || readSilently(childOf(part, 4), floor, reading))) &&
    (gate === undefined || (isPlainText(gate, 255) || readSilently(childOf(part, 5), gate, reading))) &&
    (stair === undefined || (isPlainText(stair, 255) || readSilently(childOf(part, 6), stair, reading))) &&
    (block === undefined || (isPlainText(block, 255) || readSilently(childOf(part, 7), block, reading))) &&
    (address_extra_info === undefined || (isPlainText(address_extra_info, 255) || readSilently(childOf(part, 8), address_extra_info, reading)))
  )
}
