import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/failed.js'
import type { paymentSchedule } from '../payloads/payment-schedule.js'
import { allOf, each } from './combine.js'
import { endNotBeforeStart } from './dates.js'
import { compareIntervals, OPEN_END, type Interval } from './intervals.js'
import { below } from './key-path.js'
import { isRead, type Readable, type ReadList } from './readable.js'
import type { ListRule, ObjectRule } from './rule.js'

type Schedule = Readable<TypeOf<typeof paymentSchedule>>

const regularCollection: ObjectRule<Schedule> = (schedule, at, findings) => {
  const { amount, day_of_month, frequency, trigger } = schedule
  if (trigger !== undefined && trigger !== 'REGULAR') return
  if (frequency === undefined) findings.add('fixed_payment_schedule_missing_frequency', at, 'frequency')
  if (day_of_month === undefined)
    findings.add('fixed_payment_schedule_missing_day_of_month', at, 'day_of_month')
  if (amount === undefined || (amount !== FAILED && Number(amount) === 0))
    findings.add('zero_payment_schedule_amount', at, 'amount')
}

/** First and last day of each schedule, in their order; those whose days cannot be read, or end too early, left out. */
const intervalsOf = (schedules: readonly (Schedule | typeof FAILED)[]): readonly Interval[] => {
  const intervals: Interval[] = []
  schedules.forEach((schedule, index) => {
    if (schedule === FAILED) return
    const { end_date: end = OPEN_END, start_date: start } = schedule
    if (isRead(start) && end !== FAILED && end >= start) intervals.push({ start, end, index })
  })
  return intervals
}

const oneAtATime: ListRule<Schedule> = (schedules, at, findings) => {
  if (!isRead(schedules) || schedules.length < 2) return
  compareIntervals(intervalsOf(schedules), ({ start, index }, greatestEnd) => {
    if (start <= greatestEnd) findings.add('payment_schedule_date_overlaps', below(at, index), 'start_date')
  })
}

/** The rules over payment schedules. */
export const paymentScheduleRules = allOf<ReadList<Schedule>>(
  oneAtATime,
  each<Schedule>(endNotBeforeStart('start_date', 'end_date'), regularCollection),
)
