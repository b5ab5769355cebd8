import type { PaymentSchedule } from '@account-import/core'
import { fromOptionalMoney, type SqlDecimal } from './money.js'
import { present } from './present.js'
import type { RowKey } from './account-row-key.js'
import type { NewRow } from './row.js'

export type PaymentScheduleRow = RowKey &
  Readonly<{
    means: string
    start_date: string
    end_date: string | null
    /** `trigger` is a word of SQL. */
    payment_trigger: string
    amount: SqlDecimal | null
    frequency: string | null
    day_of_month: number | null
  }>

export const paymentScheduleRow = (schedule: PaymentSchedule, key: RowKey): NewRow<PaymentScheduleRow> => ({
  ...key,
  means: schedule.means,
  start_date: schedule.start_date,
  end_date: schedule.end_date,
  payment_trigger: schedule.trigger,
  amount: schedule.amount,
  frequency: schedule.frequency,
  day_of_month: schedule.day_of_month,
})

export const paymentScheduleOf = (row: PaymentScheduleRow): PaymentSchedule => ({
  means: row.means,
  start_date: row.start_date,
  trigger: row.payment_trigger,
  ...present({
    end_date: row.end_date,
    amount: fromOptionalMoney(row.amount),
    frequency: row.frequency,
    day_of_month: row.day_of_month,
  }),
})
