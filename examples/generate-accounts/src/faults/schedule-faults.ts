import { drop, listAt, set, type Json } from './json.js'
import { choose, found, replaced, type Fault } from './fault.js'

const zone = 'schedules'

/** Makes the open schedule a collection of a fixed amount with one fault. */
const fixed = (code: Fault['code'], field: string, value: Json | undefined): Fault =>
  found(zone, code, (account) => {
    const schedules = listAt(account, 'payment_schedules')
    if (schedules.length === 0) return undefined
    const last = `payment_schedules.${schedules.length - 1}`
    const right = { trigger: 'REGULAR', amount: 30, frequency: 'MONTHLY', day_of_month: 5 }
    for (const [name, each] of Object.entries(right)) set(account, `${last}.${name}`, each)
    if (value === undefined) drop(account, `${last}.${field}`)
    else set(account, `${last}.${field}`, value)
    return `${last}.${field}`
  })

/** Faults in payment schedules. */
export const scheduleFaults: readonly Fault[] = [
  fixed('fixed_payment_schedule_missing_frequency', 'frequency', undefined),
  fixed('fixed_payment_schedule_missing_day_of_month', 'day_of_month', undefined),
  fixed('zero_payment_schedule_amount', 'amount', undefined),
  fixed('zero_payment_schedule_amount', 'amount', '0.00'),
  fixed('invalid_payment_day_for_payment_schedule', 'day_of_month', 31),
  fixed('min_value', 'day_of_month', 0),
  fixed('max_value', 'day_of_month', 32),
  fixed('min_value', 'amount', -5),
  fixed('max_whole_digits', 'amount', 123_456_789),
  fixed('start_date_later_than_end_date', 'end_date', '2001-01-01'),
  replaced(zone, 'payment_schedules.*.means', 'CASH', 'invalid_choice'),
  found(zone, 'payment_schedule_date_overlaps', (account, random) => {
    const path = choose(account, random, 'payment_schedules.1.start_date')
    if (path !== undefined) drop(account, 'payment_schedules.0.end_date')
    return path
  }),
]
