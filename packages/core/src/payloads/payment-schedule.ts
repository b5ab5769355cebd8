import { choice, date, decimal, integer, optional, refine, required, struct } from '../codec/index.js'

const means = ['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP'] as const
const triggers = ['PLAN', 'REGULAR', 'REGULAR_PLAN', 'BALANCE', 'BILL'] as const
const frequencies = [
  'WEEKLY',
  'FORTNIGHTLY',
  'FOUR_WEEKLY',
  'MONTHLY',
  'QUARTERLY',
  'SIX_MONTHLY',
  'ANNUALLY',
] as const

const dayOfMonth = refine(integer(1, 31), 'invalid_payment_day_for_payment_schedule', (day) => day <= 28)

/** When and how the customer pays regularly. Both days are inclusive; `amount` is for each collection. */
export const paymentSchedule = struct('payment schedule', {
  means: required(choice(means)),
  start_date: required(date),
  end_date: optional(date),
  trigger: optional(choice(triggers)),
  amount: optional(decimal({ whole: 8, decimals: 2, floor: 0 })),
  frequency: optional(choice(frequencies)),
  day_of_month: optional(dayOfMonth),
})
