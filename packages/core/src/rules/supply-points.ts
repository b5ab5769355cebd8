import type { TypeOf } from 'io-ts'
import type { agreement } from '../payloads/agreement.js'
import type { billableItem } from '../payloads/billable-item.js'
import type { reading } from '../payloads/reading.js'
import type { supplyPoint } from '../payloads/supply-point.js'
import type { LocalDate } from '../values/local-date.js'
import { agreementCover } from './agreement-cover.js'
import { allOf, each, eachUnless, within } from './combine.js'
import { areInOrder, endNotAtStart, endNotBeforeStart, isPast, notInFuture } from './dates.js'
import { billableItemNetAmount, netAmountDiffers } from './net-amounts.js'
import type { Readable, ReadList } from './readable.js'
import { readingIntervals } from './reading-intervals.js'
import { distinct } from './repeats.js'
import { nothingBeforeSupply } from './supply-start.js'

type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>
type Agreement = Readable<TypeOf<typeof agreement>>
type Reading = Readable<TypeOf<typeof reading>>
type BillableItem = Readable<TypeOf<typeof billableItem>>

const distinctAtrTariffs = distinct<Readable<{ valid_from: LocalDate }>>({
  code: 'duplicate_atr_tariff_dates',
  field: 'valid_from',
  keyOf: ({ valid_from }) => valid_from,
})

const agreements = each<Agreement>(
  endNotBeforeStart('effective_from', 'effective_to'),
  endNotAtStart('effective_from', 'effective_to'),
)

const readings = allOf<ReadList<Reading>>(
  eachUnless(
    ({ interval_start, interval_end }, context) =>
      areInOrder(interval_start, interval_end) &&
      interval_start !== interval_end &&
      isPast(interval_end, context),
    endNotBeforeStart('interval_start', 'interval_end'),
    endNotAtStart('interval_start', 'interval_end'),
    notInFuture('interval_end'),
  ),
  readingIntervals,
)

const billableItems = eachUnless<BillableItem>(
  (item) => areInOrder(item.interval_start, item.interval_end) && !netAmountDiffers(item),
  endNotBeforeStart('interval_start', 'interval_end'),
  billableItemNetAmount,
)

/** Sections 7.1 to 7.3 as far as they look at one supply point. */
export const supplyPointRules = each<SupplyPoint>(
  notInFuture('supply_start_date', 'future_supply_start_date'),
  notInFuture('last_billed_to_date'),
  nothingBeforeSupply,
  agreementCover,
  within('atr_tariffs', distinctAtrTariffs),
  within('agreements', agreements),
  within('readings', readings),
  within('billable_items', billableItems),
)
