// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainAmount } from '../../codec/quick/plain-amount.js'
import { isPlainDecimal } from '../../codec/quick/plain-decimal.js'
import { childOf, readSilently, sizeOf } from '../../codec/quick/by-part.js'
import { isPlainCode } from '../../codec/quick/by-settings.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['amount', 'tax_type', 'value_taxed', 'rate', 'unit_type'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole tax item, with fields in table order and none unknown. */
export const isTaxItem = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 5) return false
  const { amount, tax_type, value_taxed, rate, unit_type } = object as Sent
  return (
    count === 5 &&
    inheritsNothing(object as Sent) &&
    (isPlainAmount(amount, 1e10, 1e10) || isPlainDecimal(amount, sizeOf(childOf(part, 0))) || readSilently(childOf(part, 0), amount, reading)) &&
    (isPlainCode(tax_type, 64, 'tax_type', reading) || readSilently(childOf(part, 1), tax_type, reading)) &&
    (isPlainAmount(value_taxed, 1e10, 1e10) || isPlainDecimal(value_taxed, sizeOf(childOf(part, 2))) || readSilently(childOf(part, 2), value_taxed, reading)) &&
    (isPlainAmount(rate, 1e10, 1e10) || isPlainDecimal(rate, sizeOf(childOf(part, 3))) || readSilently(childOf(part, 3), rate, reading)) &&
    (isPlainCode(unit_type, 64, 'tax_unit_type', reading) || readSilently(childOf(part, 4), unit_type, reading))
  )
}
