// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainAmount } from '../../codec/quick/plain-amount.js'
import { isPlainDecimal } from '../../codec/quick/plain-decimal.js'
import { childOf, holds, readSilently, sizeOf } from '../../codec/quick/by-part.js'
import { isPlainCode } from '../../codec/quick/by-settings.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'

const areUnits = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!(isPlainAmount(item, 1e4, 1e12) || isPlainDecimal(item, sizeOf(each)) || readSilently(each, item, reading))) return false
  }
  return true
}

const names = ['rate_band', 'start_date', 'end_date', 'number_of_units', 'net_amount', 'price_per_unit', 'units'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole line item, with fields in table order and none unknown. */
export const isLineItem = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 4) return false
  const { rate_band, start_date, end_date, number_of_units, net_amount, price_per_unit, units } = object as Sent
  return (
    count === 4 + (rate_band === undefined ? 0 : 1) + (price_per_unit === undefined ? 0 : 1) + (units === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (rate_band === undefined || (isPlainCode(rate_band, 128, 'rate_band', reading) || readSilently(childOf(part, 0), rate_band, reading))) &&
    (isPlainDate(start_date) || readSilently(childOf(part, 1), start_date, reading)) &&
    (isPlainDate(end_date) || readSilently(childOf(part, 2), end_date, reading)) &&
    (isPlainAmount(number_of_units, 1e4, 1e12) || isPlainDecimal(number_of_units, sizeOf(childOf(part, 3))) || readSilently(childOf(part, 3), number_of_units, reading)) &&
    (isPlainAmount(net_amount, 1e10, 1e10) || isPlainDecimal(net_amount, sizeOf(childOf(part, 4))) || readSilently(childOf(part, 4), net_amount, reading)) &&
    (price_per_unit === undefined || (isPlainAmount(price_per_unit, 1e7, 1e8) || isPlainDecimal(price_per_unit, sizeOf(childOf(part, 5))) || readSilently(childOf(part, 5), price_per_unit, reading))) &&
    (units === undefined || (areUnits(units, childOf(childOf(part, 6), 0), reading) && holds(childOf(part, 6), units)))
  )
}
