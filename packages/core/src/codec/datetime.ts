import type { ErrorCode, Limits } from '../catalogue/index.js'
import { hasDateForm, hasDatetimeForm, isRealDay, isRealTime } from '../values/calendar.js'
import { Scalar } from './scalar.js'
import { isBlank } from './scan-text.js'

/** Datetimes are compared as texts: in this form, the order of the texts is the order of the times. */
const EARLIEST = '1900-01-01T00:00:00Z'

class DatetimeCodec extends Scalar<string> {
  readonly _tag = 'Datetime'
  readonly form = 'a date with time such as 2025-01-31T09:30:00Z'

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    if (!hasDatetimeForm(value)) return isBlank(value) ? 'blank' : hasDateForm(value) ? 'date' : 'invalid'
    if (!isRealDay(value) || !isRealTime(value)) return 'invalid'
    return value < EARLIEST ? 'min_value' : undefined
  }

  override limitsOf(): Limits {
    return { min: EARLIEST }
  }
}

/**
 * datetime: `YYYY-MM-DDTHH:MM:SSZ`, a real day and a time of it, 1900 to 9999. Codes: `null`,
 * `invalid`, `blank`, `date`, `invalid`, `min_value`.
 */
export const datetime = new DatetimeCodec('datetime')
