import type { TypeOf } from 'io-ts'
import type { ErrorCode } from '../catalogue/index.js'
import type { Failed } from '../codec/codec.js'
import type { lineItem } from '../payloads/ledger.js'
import type { billableItem } from '../payloads/supply.js'
import { compareCodePoints } from '../values/compare.js'
import { DecimalSum } from '../values/decimal.js'
import {
  below,
  isRead,
  type KeyPath,
  type ObjectRule,
  type Readable,
  type ReadList,
  type RuleFindings,
} from './rule.js'

/** Joins several rules into one. */
export const allOf =
  <A>(...rules: readonly ObjectRule<A>[]): ObjectRule<A> =>
  (subject, at, findings) => {
    for (const rule of rules) rule(subject, at, findings)
  }

/** Validates each item of a list that was read. */
export const each =
  <A>(...rules: readonly ObjectRule<A>[]): ObjectRule<ReadList<A>> =>
  (items, at, findings) => {
    if (!isRead(items) || findings.isPast(at)) return
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (!isRead(item)) continue
      const here = below(at, index)
      for (const rule of rules) rule(item, here, findings)
    }
  }

/** Validates a list in a field of an object. */
export const within =
  <Name extends string, A>(
    field: Name,
    rule: ObjectRule<ReadList<A>>,
  ): ObjectRule<{ readonly [F in Name]?: ReadList<A> }> =>
  (object, at, findings) => {
    const items = object[field]
    if (isRead(items)) rule(items, below(at, field), findings)
  }

/** Values that must be unique: `keyOf` returns the text to compare; a repetition is reported at `field`. */
export type Distinction<A> = Readonly<{
  code: ErrorCode
  field: string
  keyOf: (item: A) => string | Failed | undefined
}>

/**
 * Reports each item that has the key of an earlier one, in this list or in another list that was validated with the same
 * `seen`. Skips items whose key could not be read.
 */
export const reportRepeats = <A>(
  items: ReadList<A>,
  at: KeyPath,
  findings: RuleFindings,
  { code, field, keyOf }: Distinction<A>,
  seen: Set<string>,
): void => {
  if (!isRead(items)) return
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (!isRead(item)) continue
    const key = keyOf(item)
    if (!isRead(key)) continue
    if (seen.has(key)) findings.add(code, below(at, index), field)
    else seen.add(key)
  }
}

/** No two items of a list have the same key. */
export const distinct =
  <A>(distinction: Distinction<A>): ObjectRule<ReadList<A>> =>
  (items, at, findings) => {
    if (isRead(items) && items.length > 1) reportRepeats(items, at, findings, distinction, new Set())
  }

type ReadDate = string | Failed | undefined

/** An object with dates or datetimes in some of its fields. */
type Dated<Name extends string> = { readonly [F in Name]?: ReadDate }

/** The end is not before the start. Reported at the end. */
export const endNotBeforeStart =
  <Start extends string, End extends string>(start: Start, end: End): ObjectRule<Dated<Start | End>> =>
  (object, at, findings) => {
    const from: ReadDate = object[start]
    const to: ReadDate = object[end]
    if (isRead(from) && isRead(to) && to < from) findings.add('start_date_later_than_end_date', at, end)
  }

/** The end, which is exclusive, is not the start itself. Reported at the end. */
export const endNotAtStart =
  <Start extends string, End extends string>(start: Start, end: End): ObjectRule<Dated<Start | End>> =>
  (object, at, findings) => {
    const from: ReadDate = object[start]
    if (isRead(from) && from === object[end]) findings.add('start_date_same_as_end_date', at, end)
  }

/** A date, or the date part of a datetime, is not later than today. */
export const notInFuture =
  <Name extends string>(field: Name, code: ErrorCode = 'date_in_future'): ObjectRule<Dated<Name>> =>
  (object, at, findings) => {
    if (isInFuture(object[field], findings)) findings.add(code, at, field)
  }

const isInFuture = (date: ReadDate, { context: { today } }: RuleFindings): boolean =>
  isRead(date) && isAfter(date, today)

const isAfter = (date: string, today: string): boolean =>
  // As text, a datetime of today is after the date of today; only then its date part has to be compared.
  date > today && date.slice(0, today.length) > today

/** The end of an interval without an end: as text, it is after any date. */
export const OPEN_END = '~'

/** A member of a group: dates or datetimes as text, and its index in its list. */
export type Interval = Readonly<{ start: string; end: string; index: number }>

/** Sorting is stable, so intervals with one start keep the order of their index. */
const byStart = (left: Interval, right: Interval): number => compareCodePoints(left.start, right.start)

/**
 * Finds overlaps and gaps in one group: calls `compare` for each member except the first, in the order of start and then
 * index, with the latest end of the members before it. `members` must be in the order of their index.
 */
export const compareIntervals = (
  members: readonly Interval[],
  compare: (member: Interval, greatestEnd: string) => void,
): void => {
  let greatestEnd = ''
  for (const member of members.toSorted(byStart)) {
    if (greatestEnd !== '') compare(member, greatestEnd)
    if (member.end > greatestEnd) greatestEnd = member.end
  }
}

/** Decimals of a quantity, and of the product of a quantity and a price. */
const QUANTITY = 4
const PRODUCT = 11

type Item = Pick<
  Readable<TypeOf<typeof billableItem> | TypeOf<typeof lineItem>>,
  'net_amount' | 'number_of_units' | 'price_per_unit'
>

/** Whether all three are given, and the net amount differs from units × price by 0.01 or more. */
const netAmountDiffers = (item: Item): boolean => {
  const { net_amount, number_of_units, price_per_unit } = item
  if (!isRead(net_amount) || !isRead(number_of_units) || !isRead(price_per_unit)) return false
  const difference = new DecimalSum(PRODUCT)
  difference.add(net_amount)
  difference.subtractProduct(number_of_units, price_per_unit, QUANTITY)
  return difference.isCentOrMore
}

/** The net amount of an item is units × price, if both are given. */
export const netAmount =
  (code: ErrorCode): ObjectRule<Item> =>
  (item, at, findings) => {
    if (netAmountDiffers(item)) findings.add(code, at, 'net_amount')
  }
