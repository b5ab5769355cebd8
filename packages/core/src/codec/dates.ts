import type { ErrorCode, Limits } from '../catalogue/index.js'
import { hasDateForm, hasDatetimeForm, isRealDay, isRealTime, type LocalDate } from '../values/local-date.js'
import { isBlank, Scalar } from './scalars.js'

/** Dates are compared as texts: in this form, the order of the texts is the order of the days. */
const earliestDay = '1900-01-01'

export class DateCodec extends Scalar<LocalDate> {
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
export const date = new DateCodec('date')

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
 * datetime: `YYYY-MM-DDTHH:MM:SSZ`, a real day and a time of it, 1900 to 9999. Codes: `null`,
 * `invalid`, `blank`, `date`, `invalid`, `min_value`.
 */
export const datetime = new DatetimeCodec('datetime')
