import type { ErrorCode } from '../catalogue/index.js'
import type { Failed } from '../codec/failed.js'
import { isRead } from './readable.js'
import type { RuleFindings } from './rule-findings.js'
import type { ObjectRule } from './rule.js'

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
  // As text, a datetime of today comes after the date of today; only then its date part has to be compared.
  date > today && date.slice(0, today.length) > today
