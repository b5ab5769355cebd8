// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainAmount } from '../../codec/quick/plain-amount.js'
import { isPlainDecimal } from '../../codec/quick/plain-decimal.js'
import { childOf, readSilently, sizeOf } from '../../codec/quick/by-part.js'
import { isPlainCode } from '../../codec/quick/by-settings.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['net_amount', 'billable_item_type', 'interval_start', 'interval_end', 'number_of_units', 'price_per_unit', 'unit_type'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole billable item, with fields in table order and none unknown. */
export const isBillableItem = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 4) return false
  const { net_amount, billable_item_type, interval_start, interval_end, number_of_units, price_per_unit, unit_type } = object as Sent
  return (
    count === 4 + (number_of_units === undefined ? 0 : 1) + (price_per_unit === undefined ? 0 : 1) + (unit_type === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (isPlainAmount(net_amount, 1e10, 1e10) || isPlainDecimal(net_amount, sizeOf(childOf(part, 0))) || readSilently(childOf(part, 0), net_amount, reading)) &&
    (isPlainCode(billable_item_type, 64, 'billable_item_type', reading) || readSilently(childOf(part, 1), billable_item_type, reading)) &&
    (isPlainDate(interval_start) || readSilently(childOf(part, 2), interval_start, reading)) &&
    (isPlainDate(interval_end) || readSilently(childOf(part, 3), interval_end, reading)) &&
    (number_of_units === undefined || (isPlainAmount(number_of_units, 1e4, 1e12) || isPlainDecimal(number_of_units, sizeOf(childOf(part, 4))) || readSilently(childOf(part, 4), number_of_units, reading))) &&
    (price_per_unit === undefined || (isPlainAmount(price_per_unit, 1e7, 1e8) || isPlainDecimal(price_per_unit, sizeOf(childOf(part, 5))) || readSilently(childOf(part, 5), price_per_unit, reading))) &&
    (unit_type === undefined || (isPlainCode(unit_type, 64, 'billable_unit_type', reading) || readSilently(childOf(part, 6), unit_type, reading)))
  )
}
