// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainPath } from '../../codec/quick/plain-path.js'
import { isPlainKey } from '../../codec/quick/plain-text.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder } from '../../codec/quick/holders.js'

const names = ['bill_period_from_date', 'bill_period_to_date', 'statement_path', 'statement_id', 'supply_type'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole account statement, with fields in table order and none unknown. */
export const isAccountStatement = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 3) return false
  const { bill_period_from_date, bill_period_to_date, statement_path, statement_id, supply_type } = object as Sent
  return (
    count === 3 + (statement_path === undefined ? 0 : 1) + (supply_type === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (isPlainDate(bill_period_from_date) || readSilently(childOf(part, 0), bill_period_from_date, reading)) &&
    (isPlainDate(bill_period_to_date) || readSilently(childOf(part, 1), bill_period_to_date, reading)) &&
    (statement_path === undefined || (isPlainPath(statement_path, 1024) || readSilently(childOf(part, 2), statement_path, reading))) &&
    (isPlainKey(statement_id, 255) || readSilently(childOf(part, 3), statement_id, reading)) &&
    (supply_type === undefined || (supply_type === 'GAS' || supply_type === 'ELECTRICITY' || readSilently(childOf(part, 4), supply_type, reading)))
  )
}
