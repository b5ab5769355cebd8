import {
  point,
  reading,
  schedule,
  supplyPoint,
  withPoints,
  withReadings,
  withSchedules,
} from '../support/account-parts.js'
import type { RuleCases } from './support.js'

const at = (index: number): string => `${point}.readings.${index}.interval_start`
const start = (index: number): string => `payment_schedules.${index}.start_date`
const day = (number: number): string => `2024-03-${String(number).padStart(2, '0')}T00:00:00Z`
const days = (begin: number, end: number, fields = {}) => reading(day(begin), day(end), fields)
const paid = (start_date: unknown, end_date?: unknown) => schedule({ start_date, end_date })

/** Intervals of readings and payment schedules. */
export const intervalCases: readonly RuleCases[] = [
  {
    code: 'reading_intervals_overlap',
    under: point,
    isWarning: true,
    fires: [
      ['one day', withReadings(days(1, 3), days(2, 4)), at(1)],
      ['sent in another order', withReadings(days(5, 9), days(1, 6)), at(0)],
      ['with one long before', withReadings(days(1, 20), days(2, 3), days(19, 21)), [at(1), at(2)]],
      ['with a longer one after it', withReadings(days(1, 3), days(2, 20), days(4, 5)), [at(1), at(2)]],
    ],
    silent: [
      ['one ends where the next begins', withReadings(days(1, 3), days(3, 4))],
      ['a gap', withReadings(days(1, 2), days(3, 4))],
      ['another meter', withReadings(days(1, 3), days(2, 4, { meter_serial_number: 'm' }))],
      [
        'meters of special names',
        withReadings(
          ...['__proto__', 'constructor'].map((meter_serial_number) => days(1, 3, { meter_serial_number })),
        ),
      ],
      [
        'no length',
        withReadings(days(1, 3), days(2, 2)),
        ['.readings.1.interval_end start_date_same_as_end_date'],
      ],
      [
        'unreadable',
        withReadings(days(1, 3), days(1, 3, { meter_serial_number: 1 }), reading(day(1), null), null),
        ['.readings.1.meter_serial_number invalid', '.readings.2.interval_end null', '.readings.3 null'],
      ],
      [
        'another supply point',
        withPoints(...['X', 'Y'].map((identifier) => supplyPoint({ identifier, readings: [days(1, 3)] }))),
      ],
    ],
  },
  {
    code: 'payment_schedule_date_overlaps',
    under: 'payment_schedules.0',
    isWarning: true,
    fires: [
      ['the last day', withSchedules(paid('2024-01-01', '2024-02-01'), paid('2024-02-01')), start(1)],
      ['after an open end', withSchedules(paid('2024-01-01'), paid('2025-01-01', '2025-02-01')), start(1)],
      ['two of one day', withSchedules(paid('2024-01-01', '2024-01-01'), paid('2024-01-01')), start(1)],
      [
        'sent in another order',
        withSchedules(paid('2024-02-01'), paid('2024-01-01', '2024-02-01')),
        start(0),
      ],
    ],
    silent: [
      ['the day after', withSchedules(paid('2024-01-01', '2024-01-31'), paid('2024-02-01'))],
      ['a gap', withSchedules(paid('2024-01-01', '2024-01-31'), paid('2024-03-01'))],
      [
        'ends before it begins',
        withSchedules(paid('2024-01-01'), paid('2024-02-01', '2024-01-31')),
        ['payment_schedules.1.end_date start_date_later_than_end_date'],
      ],
      [
        'unreadable',
        withSchedules(paid('2024-01-01'), paid('2024-02-01', null), paid(undefined), null),
        [
          'payment_schedules.1.end_date null',
          'payment_schedules.2.start_date required',
          'payment_schedules.3 null',
        ],
      ],
    ],
  },
  ...regular('fixed_payment_schedule_missing_frequency', 'frequency', [undefined], [null, 'null']),
  ...regular('fixed_payment_schedule_missing_day_of_month', 'day_of_month', [undefined], ['1', 'invalid']),
  ...regular(
    'zero_payment_schedule_amount',
    'amount',
    [undefined, 0, -0, '0', '0.00', '-0.0'],
    [-1, 'min_value'],
  ),
]

/** A rule over the field of a regular schedule that has none, or one of these values. */
function regular(
  code: string,
  field: string,
  values: readonly unknown[],
  [unreadable, fault]: readonly [unknown, string],
): readonly RuleCases[] {
  const path = `.${field}`
  const [value] = values
  return [
    {
      code,
      under: 'payment_schedules.0',
      isWarning: true,
      fires: [
        ...values.map((each) => [String(each), withSchedules(schedule({ [field]: each })), path] as const),
        ['REGULAR', withSchedules(schedule({ [field]: value, trigger: 'REGULAR' })), path],
      ],
      silent: [
        ['given', withSchedules(schedule())],
        ['the least amount', withSchedules(schedule({ amount: '0.01' }))],
        ...['PLAN', 'REGULAR_PLAN', 'BALANCE', 'BILL'].map(
          (trigger) => [trigger, withSchedules(schedule({ [field]: value, trigger }))] as const,
        ),
        [
          'unreadable trigger',
          withSchedules(schedule({ [field]: value, trigger: 'regular' })),
          ['.trigger invalid_choice'],
        ],
        ['unreadable', withSchedules(schedule({ [field]: unreadable })), [`${path} ${fault}`]],
      ],
    },
  ]
}
