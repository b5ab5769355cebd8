// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { isPlainDate } from '../../codec/quick/plain-date.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { childOf, readSilently } from '../../codec/quick/by-part.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'
import { isSupplyAddress } from './supply-address.js'
import { isSupplyPoint } from './supply-point.js'

const areSupplyPoints = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isSupplyPoint(item, each, reading)) return false
  }
  return true
}

const names = ['supply_address', 'customer_at_supply_address_from_date', 'supply_points'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole supply address entry, with fields in table order and none unknown. */
export const isSupplyAddressEntry = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 3) return false
  const { supply_address, customer_at_supply_address_from_date, supply_points } = object as Sent
  return (
    count === 3 &&
    inheritsNothing(object as Sent) &&
    isSupplyAddress(supply_address, childOf(part, 0), reading) &&
    (isPlainDate(customer_at_supply_address_from_date) || readSilently(childOf(part, 1), customer_at_supply_address_from_date, reading)) &&
    areSupplyPoints(supply_points, childOf(part, 2), reading)
  )
}
