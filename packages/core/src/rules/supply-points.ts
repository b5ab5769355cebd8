import type { TypeOf } from 'io-ts'
import type { agreement } from '../payloads/agreement.js'
import type { billableItem } from '../payloads/billable-item.js'
import type { reading } from '../payloads/reading.js'
import type { supplyPoint } from '../payloads/supply-point.js'
import type { LocalDate } from '../values/local-date.js'
import { agreementCover } from './agreement-cover.js'
import { allOf, each, within } from './combine.js'
import { endNotAtStart, endNotBeforeStart, notInFuture } from './dates.js'
import { billableItemNetAmount } from './net-amounts.js'
import type { Readable, ReadList } from './readable.js'
import { readingIntervals } from './reading-intervals.js'
import { distinct, type Distinction } from './repeats.js'
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

const billableItems = each<BillableItem>(
  endNotBeforeStart('interval_start', 'interval_end'),
  billableItemNetAmount,
)

/** The rules over one supply point. */
export const supplyPointRules = each<SupplyPoint>(
  notInFuture('supply_start_date', 'future_supply_start_date'),
  notInFuture('last_billed_to_date'),
  nothingBeforeSupply,
  agreementCover,
  within('atr_tariffs', distinct(atrTariffDate)),
  within('agreements', agreements),
  within('readings', readings),
  within('billable_items', billableItems),
)
