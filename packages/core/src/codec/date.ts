import type { ErrorCode, Limits } from '../catalogue/index.js'
import { hasDateForm, hasDatetimeForm, isRealDay } from '../values/calendar.js'
import type { LocalDate } from '../values/local-date.js'
import { Scalar } from './scalar.js'
import { isBlank } from './scan-text.js'

/** Dates are compared as texts: in this form, the order of the texts is the order of the days. */
const EARLIEST = '1900-01-01'

export class DateCodec extends Scalar<LocalDate> {
  readonly _tag = 'Date'
  readonly form = 'a date such as 2025-01-31'

  override codeOf(value: unknown): ErrorCode | undefined {
    if (typeof value !== 'string') return value === null ? 'null' : 'invalid'
    if (!hasDateForm(value)) return isBlank(value) ? 'blank' : hasDatetimeForm(value) ? 'datetime' : 'invalid'
    if (!isRealDay(value)) return 'invalid'
    return value < EARLIEST ? 'min_value' : undefined
  }

  override limitsOf(): Limits {
    return { min: EARLIEST }
  }
}

/**
 * date: `YYYY-MM-DD`, a real day, 1900-01-01 to 9999-12-31. Codes: `null`, `invalid`, `blank`,
 * `datetime`, `invalid`, `min_value`.
 */
export const date = new DateCodec('date')
