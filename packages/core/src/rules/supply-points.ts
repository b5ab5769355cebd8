import type { TypeOf } from 'io-ts'
import type { CheckContext } from '../codec/check-context.js'
import { FAILED } from '../codec/failed.js'
import type { agreement } from '../payloads/agreement.js'
import type { billableItem } from '../payloads/billable-item.js'
import type { reading } from '../payloads/reading.js'
import type { supplyPoint } from '../payloads/supply-point.js'
import type { LocalDate } from '../values/local-date.js'
import { agreementsFollow } from './agreements-follow.js'
import { agreementCover } from './agreement-cover.js'
import { allOf, each, eachUnless, within, type InOrder } from './combine.js'
import { areInOrder, endNotAtStart, endNotBeforeStart, isPast, notInFuture } from './dates.js'
import { billableItemNetAmount, netAmountDiffers } from './net-amounts.js'
import { isRead, type Readable, type ReadList } from './readable.js'
import { latestEnd, readingIntervals } from './reading-intervals.js'
import { distinct, itemsDiffer, type Distinction } from './repeats.js'
import { nothingBeforeSupply } from './supply-start.js'

type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>
type Agreement = Readable<TypeOf<typeof agreement>>
type Reading = Readable<TypeOf<typeof reading>>
type BillableItem = Readable<TypeOf<typeof billableItem>>

const atrTariffDate: Distinction<Readable<{ valid_from: LocalDate }>> = {
  code: 'duplicate_atr_tariff_dates',
  field: 'valid_from',
  keyOf: ({ valid_from }) => valid_from,
}

const agreements = each<Agreement>(
  endNotBeforeStart('effective_from', 'effective_to'),
  endNotAtStart('effective_from', 'effective_to'),
)

const readings = allOf<ReadList<Reading>>(
  each(
    endNotBeforeStart('interval_start', 'interval_end'),
    endNotAtStart('interval_start', 'interval_end'),
    notInFuture('interval_end'),
  ),
  readingIntervals,
)

/** Whether each reading surely has a length and begins no earlier than the one before ends, and the last has ended. */
const readingsFollow = (items: ReadList<Reading>, context: CheckContext): boolean => {
  const latest = latestEnd(items)
  return latest !== undefined && isPast(latest, context)
}

const isBillableItemInOrder = (item: BillableItem): boolean =>
  areInOrder(item.interval_start, item.interval_end) && !netAmountDiffers(item)

const billableItems = eachUnless<BillableItem>(
  isBillableItemInOrder,
  endNotBeforeStart('interval_start', 'interval_end'),
  billableItemNetAmount,
)

const areBillableItemsInOrder = (items: ReadList<BillableItem>): boolean => {
  if (!isRead(items)) return items === undefined
  for (const item of items) if (item === FAILED || !isBillableItemInOrder(item)) return false
  return true
}

const isPointInOrder: InOrder<SupplyPoint> = (point, context) =>
  isPast(point.supply_start_date, context) &&
  (point.last_billed_to_date === undefined || isPast(point.last_billed_to_date, context)) &&
  agreementsFollow(point) &&
  itemsDiffer(point.atr_tariffs, atrTariffDate) &&
  (point.readings === undefined || readingsFollow(point.readings, context)) &&
  areBillableItemsInOrder(point.billable_items)

/** Sections 7.1 to 7.3 as far as they look at one supply point. */
export const supplyPointRules = eachUnless<SupplyPoint>(
  isPointInOrder,
  notInFuture('supply_start_date', 'future_supply_start_date'),
  notInFuture('last_billed_to_date'),
  nothingBeforeSupply,
  agreementCover,
  within('atr_tariffs', distinct(atrTariffDate)),
  within('agreements', agreements),
  within('readings', readings),
  within('billable_items', billableItems),
)
