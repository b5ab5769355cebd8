import type { TypeOf } from 'io-ts'
import { FAILED, type Failed } from '../codec/codec.js'
import type {
  agreement,
  billableItem,
  reading,
  supplyAddress,
  supplyAddressEntry,
  supplyPoint,
} from '../payloads/supply.js'
import { supplyPointKey } from '../values/cups.js'
import type { LocalDate } from '../values/instant.js'
import {
  allOf,
  compareIntervals,
  distinct,
  type Distinction,
  each,
  endNotAtStart,
  endNotBeforeStart,
  type Interval,
  netAmount,
  notInFuture,
  OPEN_END,
  reportRepeats,
  within,
} from './building-blocks.js'
import {
  below,
  isRead,
  itemsOf,
  type KeyPath,
  type ObjectRule,
  type Readable,
  type ReadList,
  type RuleFindings,
} from './rule.js'

type SupplyAddress = Readable<TypeOf<typeof supplyAddress>>

type Pair = readonly [field: string, value: string]

/** Adds the fields of an object to `pairs`; false if one could not be read. A read object has its fields in order. */
const collect = (object: Readonly<Record<string, unknown>>, prefix: string, pairs: Pair[]): boolean => {
  for (const [name, value] of Object.entries(object)) {
    if (value === FAILED) return false
    if (typeof value === 'string') pairs.push([prefix + name, value])
  }
  return true
}

/**
 * A text that is equal for two addresses if they have the same fields with the same values, in any order. Undefined if a
 * field could not be read, or the country, which every address has, is missing.
 */
const addressKey = ({ structured_street_address: street, ...address }: SupplyAddress): string | undefined => {
  if (address.country === undefined || street === FAILED) return undefined
  const pairs: Pair[] = []
  if (!collect(address, '', pairs)) return undefined
  if (street !== undefined) {
    pairs.push(['structured_street_address', ''])
    if (!collect(street, 'structured_street_address.', pairs)) return undefined
  }
  return JSON.stringify(pairs)
}

type Agreement = Readable<TypeOf<typeof agreement>>
type SupplyPoint = Readable<TypeOf<typeof supplyPoint>>

/** From the first day covered to the first day not covered; undefined if either cannot be read. */
const termOf = (item: Agreement, index: number): Interval | undefined => {
  const { effective_from: start, effective_to: end } = item
  if (!isRead(start) || end === FAILED) return undefined
  return { start, end: end ?? OPEN_END, index }
}

const termsOf = (agreements: ReadList<Agreement>): readonly (Interval | undefined)[] =>
  itemsOf(agreements).map((item, index) => (item === FAILED ? undefined : termOf(item, index)))

const reportGapsAndOverlaps = (
  terms: readonly (Interval | undefined)[],
  at: KeyPath,
  findings: RuleFindings,
): void => {
  const covering = terms.filter((term): term is Interval => term !== undefined && term.end > term.start)
  compareIntervals(covering, ({ start, index }, greatestEnd) => {
    if (start === greatestEnd) return
    const code = start < greatestEnd ? 'agreement_dates_overlap' : 'gap_in_agreement_dates'
    findings.add(code, below(at, index), 'effective_from')
  })
}

/**
 * A supply point has agreements that follow each other without overlaps and gaps, and one of them covers the last
 * billed day. The last check is skipped unless the days of all agreements can be read.
 */
const agreementCover: ObjectRule<SupplyPoint> = (point, at, findings) => {
  const { agreements, last_billed_to_date: billed } = point
  if (agreements === FAILED) return
  if (agreements === undefined || agreements.length === 0) {
    findings.add('supply_point_with_no_agreement', at, 'agreements')
    return
  }
  const terms = termsOf(agreements)
  reportGapsAndOverlaps(terms, below(at, 'agreements'), findings)
  // An unreadable agreement might cover the day.
  const mayCover = (term: Interval | undefined): boolean =>
    term === undefined || (isRead(billed) && term.start <= billed && billed < term.end)
  if (isRead(billed) && !terms.some(mayCover))
    findings.add('no_agreement_covering_last_billed_to_date', at, 'last_billed_to_date')
}

type Reading = Readable<TypeOf<typeof reading>>

/** The intervals of each meter, without empty ones and readings whose times or meter cannot be read. */
const intervalsOfMeters = (
  readings: readonly (Reading | Failed)[],
): ReadonlyMap<string, readonly Interval[]> => {
  const meters = new Map<string, Interval[]>()
  for (const [index, item] of readings.entries()) {
    if (!isRead(item)) continue
    const { meter_serial_number: meter, interval_start: start, interval_end: end } = item
    if (!isRead(meter) || !isRead(start) || !isRead(end) || end <= start) continue
    const intervals = meters.get(meter)
    if (intervals === undefined) meters.set(meter, [{ start, end, index }])
    else intervals.push({ start, end, index })
  }
  return meters
}

/** Readings of one meter of a supply point do not overlap. */
const readingIntervals: ObjectRule<ReadList<Reading>> = (readings, at, findings) => {
  for (const intervals of intervalsOfMeters(itemsOf(readings)).values())
    compareIntervals(intervals, ({ start, index }, greatestEnd) => {
      if (start < greatestEnd) findings.add('reading_intervals_overlap', below(at, index), 'interval_start')
    })
}

/** Neither the last billed day nor the start of an agreement is before the start of supply. */
const nothingBeforeSupply: ObjectRule<SupplyPoint> = (point, at, findings) => {
  const { agreements, last_billed_to_date: billed, supply_start_date: start } = point
  if (!isRead(start)) return
  if (isRead(billed) && billed < start)
    findings.add('last_billed_to_date_before_supply_start_date', at, 'last_billed_to_date')
  const notBeforeSupply = each<Agreement>(({ effective_from: from }, path) => {
    if (isRead(from) && from < start)
      findings.add('agreement_start_date_before_supply_start_date', path, 'effective_from')
  })
  notBeforeSupply(agreements, below(at, 'agreements'), findings)
}

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

const billableItems = each<Readable<TypeOf<typeof billableItem>>>(
  endNotBeforeStart('interval_start', 'interval_end'),
  netAmount('incorrect_billable_item_net_amount'),
)

const supplyPointRules = each<SupplyPoint>(
  notInFuture('supply_start_date', 'future_supply_start_date'),
  notInFuture('last_billed_to_date'),
  nothingBeforeSupply,
  agreementCover,
  within('atr_tariffs', distinct(atrTariffDate)),
  within('agreements', agreements),
  within('readings', readings),
  within('billable_items', billableItems),
)

type Entry = Readable<TypeOf<typeof supplyAddressEntry>>

const somePoints: ObjectRule<Entry> = ({ supply_points }, at, findings) => {
  if (isRead(supply_points) && supply_points.length === 0)
    findings.add('supply_address_without_supply_points', at, 'supply_points')
}

const identifier: Distinction<Readable<{ identifier: string }>> = {
  code: 'duplicate_supply_points_found',
  field: 'identifier',
  keyOf: (point) => (isRead(point.identifier) ? supplyPointKey(point.identifier) : undefined),
}

const distinctSupplyPoints: ObjectRule<ReadList<Entry>> = (entries, at, findings) => {
  const seen = new Set<string>()
  each<Entry>(({ supply_points }, path) =>
    reportRepeats(supply_points, below(path, 'supply_points'), findings, identifier, seen),
  )(entries, at, findings)
}

const distinctAddresses = distinct<Entry>({
  code: 'duplicate_supply_addresses_found',
  field: 'supply_address',
  keyOf: ({ supply_address }) => (isRead(supply_address) ? addressKey(supply_address) : undefined),
})

/** The rules over the supply addresses of an account. */
export const supplyAddressRules = allOf<ReadList<Entry>>(
  distinctAddresses,
  distinctSupplyPoints,
  each(somePoints, within('supply_points', supplyPointRules)),
)
