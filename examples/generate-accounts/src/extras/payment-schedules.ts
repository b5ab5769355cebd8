import type { AccountPayload } from '@account-import/core'
import { dateOf } from '../calendar.js'
import type { Random } from '../random/random.js'

export type PaymentSchedule = NonNullable<AccountPayload['payment_schedules']>[number]

const fixedAmount = (random: Random): Partial<PaymentSchedule> => ({
  trigger: 'REGULAR',
  amount: random.chance(0.3) ? `${random.between(20, 120)}.00` : random.between(40, 240) / 2,
  frequency: random.pick(['MONTHLY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY']),
  day_of_month: random.between(1, 28),
})

/**
 * The payment schedules of an account from the first day of supply on: one schedule, or a finished one and its successor.
 * Collections of a fixed amount have all fields that are needed to carry them out.
 */
export const paymentSchedulesOf = (
  random: Random,
  startDay: number,
  lastDay: number,
): readonly PaymentSchedule[] => {
  const change = random.chance(0.45)
    ? startDay + random.between(30, Math.max(31, lastDay - startDay))
    : undefined
  const means = random.chance(0.85) ? 'DD' : random.pick(['CARD', 'PAYMENT_SLIP', 'MANUAL'])
  const current: PaymentSchedule = {
    means,
    start_date: dateOf(change ?? startDay),
    ...(means === 'DD' && random.chance(0.3) ? fixedAmount(random) : { trigger: 'BILL' }),
  }
  if (change === undefined) return [current]
  const end_date = dateOf(change - 1)
  const earlier = { start_date: dateOf(startDay), end_date }
  return [
    random.chance(0.5)
      ? { means: 'DD', ...earlier, ...fixedAmount(random) }
      : { means: 'MANUAL', ...earlier, trigger: 'BILL' },
    current,
  ]
}
