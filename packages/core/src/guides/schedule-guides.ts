import type { Guides } from '../catalogue/guide.js'

const place = 'payment_schedules.0'
const regular = { trigger: 'REGULAR', amount: 60, frequency: 'MONTHLY', day_of_month: 5 }

/** Payment schedules. */
export const scheduleGuides = {
  payment_schedule_date_overlaps: {
    means: 'Two payment schedules hold on the same day. Both their first and their last day count.',
    causes: ['The former schedule was replaced but not ended in the source.'],
    fix: [
      'Give the earlier schedule the day before the later one as end_date.',
      'Leave out schedules that were never used.',
    ],
    at: ['payment_schedules.N.start_date'],
    example: {
      in: '',
      bad: {
        payment_schedules: [
          { means: 'MANUAL', start_date: '2023-01-01', trigger: 'BILL' },
          { means: 'DD', start_date: '2024-01-01', trigger: 'BILL' },
        ],
      },
      good: {
        payment_schedules: [
          { means: 'MANUAL', start_date: '2023-01-01', end_date: '2023-12-31', trigger: 'BILL' },
          { means: 'DD', start_date: '2024-01-01', trigger: 'BILL' },
        ],
      },
    },
    related: ['start_date_later_than_end_date'],
  },
  fixed_payment_schedule_missing_frequency: {
    means: 'A regular schedule, which it also is without a trigger, does not say how often it collects.',
    causes: [
      'Everything in the old system is monthly, so it has no such field.',
      'Payment by bill was exported without its trigger.',
    ],
    fix: [
      'Add the frequency, for example MONTHLY.',
      'If each bill is collected as it comes, set trigger to BILL.',
    ],
    at: ['payment_schedules.N.frequency'],
    example: {
      in: place,
      bad: { trigger: 'REGULAR', amount: 60, day_of_month: 5 },
      good: regular,
    },
    related: ['fixed_payment_schedule_missing_day_of_month', 'zero_payment_schedule_amount'],
  },
  fixed_payment_schedule_missing_day_of_month: {
    means: 'A regular schedule, which it also is without a trigger, does not say on which day it collects.',
    causes: ['The day is a setting of the old collection run and not of the customer.'],
    fix: [
      'Add the day on which customers are used to be charged, 1 to 28.',
      'If each bill is collected as it comes, set trigger to BILL.',
    ],
    at: ['payment_schedules.N.day_of_month'],
    example: {
      in: place,
      bad: { trigger: 'REGULAR', amount: 60, frequency: 'MONTHLY' },
      good: regular,
    },
    related: ['fixed_payment_schedule_missing_frequency', 'invalid_payment_day_for_payment_schedule'],
  },
  zero_payment_schedule_amount: {
    means: 'A regular schedule has no amount, or the amount zero: it would collect nothing.',
    causes: [
      'The amount is computed in the old system at each run.',
      'The customer pays by bill, exported without its trigger.',
    ],
    fix: [
      'Send the amount of the next collection in euros.',
      'If each bill is collected as it comes, set trigger to BILL.',
    ],
    at: ['payment_schedules.N.amount'],
    example: { in: place, bad: { ...regular, amount: 0 }, good: regular },
    related: ['fixed_payment_schedule_missing_frequency', 'min_value'],
  },
  invalid_payment_day_for_payment_schedule: {
    means: 'The day of collection is 29, 30 or 31, which not every month has.',
    causes: ['The old system collects on the last day of the month and calls it 31.'],
    fix: ['Send 28, or agree on the first of the next month with the business.'],
    at: ['payment_schedules.N.day_of_month'],
    example: { in: place, bad: { ...regular, day_of_month: 31 }, good: { ...regular, day_of_month: 28 } },
    related: ['max_value', 'fixed_payment_schedule_missing_day_of_month'],
  },
} satisfies Guides
