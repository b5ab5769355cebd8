import type { ErrorCode, Limits } from '../catalogue/index.js'
import type { LocalDate } from '../values/instant.js'
import { isBlank, Scalar } from './scalars.js'

const hasDateForm = (text: string): boolean => dateForm.test(text)

const dateForm = /^\d{4}-\d\d-\d\d$/

const hasDatetimeForm = (text: string): boolean => datetimeForm.test(text)

const datetimeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Whether the text, which begins with the date form, begins with a day of the calendar. */
const isRealDay = (text: string): boolean => {
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  if (day < 1 || month < 1 || month > 12) return false
  return day <= 28 || day <= daysIn(Number(text.slice(0, 4)), month)
}

/** Whether the text, which has the datetime form, has a time from 00:00:00 to 23:59:59. */
const isRealTime = (text: string): boolean =>
  twoDigits(text, 11) <= 23 && twoDigits(text, 14) <= 59 && twoDigits(text, 17) <= 59

const ZERO = 0x30

const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Dates are compared as texts: in this form, the order of the texts is the order of the days. */
const earliestDay = '1900-01-01'

class DateCodec extends Scalar<LocalDate> {
  readonly _tag = 'Date'
  readonly form = 'a date such as 2025-01-31'

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    if (!hasDateForm(value)) return isBlank(value) ? 'blank' : hasDatetimeForm(value) ? 'datetime' : 'invalid'
    if (!isRealDay(value)) return 'invalid'
    return value < earliestDay ? 'min_value' : undefined
  }

  override limitsOf(): Limits {
    return { min: earliestDay }
  }
}

/**
 * date: `YYYY-MM-DD`, a real day, 1900-01-01 to 9999-12-31. Codes: `null`, `invalid`, `blank`,
 * `datetime`, `invalid`, `min_value`.
 */
export const date: Scalar<LocalDate> = new DateCodec('date')

/** Datetimes are compared as texts: in this form, the order of the texts is the order of the times. */
const earliestInstant = '1900-01-01T00:00:00Z'

class DatetimeCodec extends Scalar<string> {
  readonly _tag = 'Datetime'
  readonly form = 'a date with time such as 2025-01-31T09:30:00Z'

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    if (!hasDatetimeForm(value)) return isBlank(value) ? 'blank' : hasDateForm(value) ? 'date' : 'invalid'
    if (!isRealDay(value) || !isRealTime(value)) return 'invalid'
    return value < earliestInstant ? 'min_value' : undefined
  }

  override limitsOf(): Limits {
    return { min: earliestInstant }
  }
}

/**
 * datetime: `YYYY-MM-DDTHH:MM:SSZ`, a real day and time, 1900 to 9999. Codes: `null`,
 * `invalid`, `blank`, `date`, `invalid`, `min_value`.
 */
export const datetime = new DatetimeCodec('datetime')
