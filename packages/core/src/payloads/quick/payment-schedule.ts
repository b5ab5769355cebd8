// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainQuantity } from '../../codec/quick/plain-amount.js'
import { isPlainDecimal } from '../../codec/quick/plain-decimal.js'
import { childOf, holds, readSilently, sizeOf } from '../../codec/quick/by-part.js'
import { isPlainInteger } from '../../codec/quick/plain-integer.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['means', 'start_date', 'end_date', 'trigger', 'amount', 'frequency', 'day_of_month'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole payment schedule, with fields in table order and none unknown. */
export const isPaymentSchedule = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 2) return false
  const { means, start_date, end_date, trigger, amount, frequency, day_of_month } = object as Sent
  return (
    count === 2 + (end_date === undefined ? 0 : 1) + (trigger === undefined ? 0 : 1) + (amount === undefined ? 0 : 1) + (frequency === undefined ? 0 : 1) + (day_of_month === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (means === 'DD' || means === 'CARD' || means === 'MANUAL' || means === 'PAYMENT_SLIP' || readSilently(childOf(part, 0), means, reading)) &&
    (isPlainDate(start_date) || readSilently(childOf(part, 1), start_date, reading)) &&
    (end_date === undefined || (isPlainDate(end_date) || readSilently(childOf(part, 2), end_date, reading))) &&
    (trigger === undefined || (trigger === 'PLAN' || trigger === 'REGULAR' || trigger === 'REGULAR_PLAN' || trigger === 'BALANCE' || trigger === 'BILL' || readSilently(childOf(part, 3), trigger, reading))) &&
    (amount === undefined || (isPlainQuantity(amount, 1e2, 1e8) || isPlainDecimal(amount, sizeOf(childOf(part, 4))) || readSilently(childOf(part, 4), amount, reading))) &&
    (frequency === undefined || (frequency === 'WEEKLY' || frequency === 'FORTNIGHTLY' || frequency === 'FOUR_WEEKLY' || frequency === 'MONTHLY' || frequency === 'QUARTERLY' || frequency === 'SIX_MONTHLY' || frequency === 'ANNUALLY' || readSilently(childOf(part, 5), frequency, reading))) &&
    (day_of_month === undefined || ((isPlainInteger(day_of_month, 1, 31) || readSilently(childOf(childOf(part, 6), 0), day_of_month, reading)) && holds(childOf(part, 6), day_of_month)))
  )
}
