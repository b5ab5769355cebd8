// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainAmount } from '../../codec/quick/plain-amount.js'
import { isPlainDecimal } from '../../codec/quick/plain-decimal.js'
import { isPlainKey, isPlainText } from '../../codec/quick/plain-text.js'
import { childOf, readSilently, sizeOf } from '../../codec/quick/by-part.js'
import { isPlainCode } from '../../codec/quick/by-settings.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'
import { isLineItem } from './line-item.js'
import { isTaxItem } from './tax-item.js'

const areLineItems = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isLineItem(item, each, reading)) return false
  }
  return true
}

const areTaxItems = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isTaxItem(item, each, reading)) return false
  }
  return true
}

const names = ['transaction_id', 'transaction_date', 'amount', 'type', 'reason', 'reference', 'payment_type', 'display_note', 'note', 'product_code', 'line_items', 'tax_items'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole transaction, with fields in table order and none unknown. */
export const isTransaction = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 4) return false
  const { transaction_id, transaction_date, amount, type, reason, reference, payment_type, display_note, note, product_code, line_items, tax_items } = object as Sent
  return (
    count === 4 + (reason === undefined ? 0 : 1) + (reference === undefined ? 0 : 1) + (payment_type === undefined ? 0 : 1) + (display_note === undefined ? 0 : 1) + (note === undefined ? 0 : 1) + (product_code === undefined ? 0 : 1) + (line_items === undefined ? 0 : 1) + (tax_items === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (isPlainKey(transaction_id, 255) || readSilently(childOf(part, 0), transaction_id, reading)) &&
    (isPlainDate(transaction_date) || readSilently(childOf(part, 1), transaction_date, reading)) &&
    (isPlainAmount(amount, 1e2, 1e10) || isPlainDecimal(amount, sizeOf(childOf(part, 2))) || readSilently(childOf(part, 2), amount, reading)) &&
    (type === 'CHARGE' || type === 'CREDIT' || type === 'PAYMENT' || type === 'REPAYMENT' || type === 'SUPPLY_CHARGE' || readSilently(childOf(part, 3), type, reading)) &&
    (reason === undefined || (isPlainCode(reason, 128, 'reason', reading) || readSilently(childOf(part, 4), reason, reading))) &&
    (reference === undefined || (isPlainText(reference, 255) || readSilently(childOf(part, 5), reference, reading))) &&
    (payment_type === undefined || (isPlainCode(payment_type, 64, 'payment_type', reading) || readSilently(childOf(part, 6), payment_type, reading))) &&
    (display_note === undefined || (isPlainText(display_note, 21845) || readSilently(childOf(part, 7), display_note, reading))) &&
    (note === undefined || (isPlainText(note, 21845) || readSilently(childOf(part, 8), note, reading))) &&
    (product_code === undefined || (isPlainCode(product_code, 255, 'product_code', reading) || readSilently(childOf(part, 9), product_code, reading))) &&
    (line_items === undefined || areLineItems(line_items, childOf(part, 10), reading)) &&
    (tax_items === undefined || areTaxItems(tax_items, childOf(part, 11), reading))
  )
}
