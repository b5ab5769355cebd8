// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainKey, isPlainTerm } from '../../codec/quick/plain-text.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'
import { isAtrTariff } from './atr-tariff.js'
import { isAgreement } from './agreement.js'
import { isReading } from './reading.js'
import { isBillableItem } from './billable-item.js'

const areAtrTariffs = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isAtrTariff(item, each, reading)) return false
  }
  return true
}

const areAgreements = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isAgreement(item, each, reading)) return false
  }
  return true
}

const areReadings = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isReading(item, each, reading)) return false
  }
  return true
}

const areBillableItems = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isBillableItem(item, each, reading)) return false
  }
  return true
}

const names = ['identifier', 'distributor_ree_code', 'supply_type', 'supply_start_date', 'last_billed_to_date', 'atr_tariffs', 'agreements', 'readings', 'billable_items'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole supply point, with fields in table order and none unknown. */
export const isSupplyPoint = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 3) return false
  const { identifier, distributor_ree_code, supply_type, supply_start_date, last_billed_to_date, atr_tariffs, agreements, readings, billable_items } = object as Sent
  return (
    count === 3 + (distributor_ree_code === undefined ? 0 : 1) + (last_billed_to_date === undefined ? 0 : 1) + (atr_tariffs === undefined ? 0 : 1) + (agreements === undefined ? 0 : 1) + (readings === undefined ? 0 : 1) + (billable_items === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (isPlainKey(identifier, 64) || readSilently(childOf(part, 0), identifier, reading)) &&
    (distributor_ree_code === undefined || (isPlainTerm(distributor_ree_code, 16) || readSilently(childOf(part, 1), distributor_ree_code, reading))) &&
    (supply_type === 'GAS' || supply_type === 'ELECTRICITY' || readSilently(childOf(part, 2), supply_type, reading)) &&
    (isPlainDate(supply_start_date) || readSilently(childOf(part, 3), supply_start_date, reading)) &&
    (last_billed_to_date === undefined || (isPlainDate(last_billed_to_date) || readSilently(childOf(part, 4), last_billed_to_date, reading))) &&
    (atr_tariffs === undefined || areAtrTariffs(atr_tariffs, childOf(part, 5), reading)) &&
    (agreements === undefined || areAgreements(agreements, childOf(part, 6), reading)) &&
    (readings === undefined || areReadings(readings, childOf(part, 7), reading)) &&
    (billable_items === undefined || areBillableItems(billable_items, childOf(part, 8), reading))
  )
}
