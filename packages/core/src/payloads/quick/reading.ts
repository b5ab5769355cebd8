// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDatetime } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainDecimal } from '../../codec/quick/plain-decimal.js'
import { isPlainKey } from '../../codec/quick/plain-text.js'
import { childOf, holds, readSilently, sizeOf } from '../../codec/quick/by-part.js'
import { isPlainInteger } from '../../codec/quick/plain-integer.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['meter_serial_number', 'interval_start', 'interval_end', 'consumption_delta', 'source'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole reading, with fields in table order and none unknown. */
export const isReading = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 4) return false
  const { meter_serial_number, interval_start, interval_end, consumption_delta, source } = object as Sent
  return (
    count === 4 + (source === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (isPlainKey(meter_serial_number, 64) || readSilently(childOf(part, 0), meter_serial_number, reading)) &&
    (isPlainDatetime(interval_start) || readSilently(childOf(part, 1), interval_start, reading)) &&
    (isPlainDatetime(interval_end) || readSilently(childOf(part, 2), interval_end, reading)) &&
    ((isPlainDecimal(consumption_delta, sizeOf(childOf(childOf(part, 3), 0))) || readSilently(childOf(childOf(part, 3), 0), consumption_delta, reading)) && holds(childOf(part, 3), consumption_delta)) &&
    (source === undefined || (isPlainInteger(source, 0, 9999) || readSilently(childOf(part, 4), source, reading)))
  )
}
