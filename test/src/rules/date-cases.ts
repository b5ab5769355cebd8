import {
  agreement,
  current,
  historical,
  ledger,
  line,
  point,
  reading,
  schedule,
  statement,
  transaction,
  withAgreements,
  withCurrent,
  withHistorical,
  withItem,
  withLedgers,
  withLines,
  withNote,
  withPoint,
  withReadings,
  withSchedules,
  withStatements,
} from '../support/account-parts.js'
import { today, type RuleCases } from './support.js'

type Fields = Readonly<Record<string, unknown>>

const tomorrow = '2025-09-02'
const noon = (day: string): string => `${day}T12:00:00Z`

/** The place of an interval: the object with it, its two fields, and an account whose object has these fields. */
type Interval = readonly [
  name: string,
  start: string,
  end: string,
  make: (from: unknown, to: unknown) => object,
]

const interval = (
  name: string,
  at: string,
  [start, end]: readonly [string, string],
  make: (of: Fields) => object,
) =>
  [
    name,
    `${at}.${start}`,
    `${at}.${end}`,
    (from, to) => make({ [start]: from, [end]: to }),
  ] satisfies Interval

const inInterval = ['interval_start', 'interval_end'] as const
const days = ['start_date', 'end_date'] as const
const inHistory = (fields: Fields) => withHistorical(transaction({ line_items: [line(fields)] }))

const intervals: readonly Interval[] = [
  interval('billable item', `${point}.billable_items.0`, inInterval, withItem),
  interval('line item', `${current}.0.line_items.0`, days, (of) => withLines(line(of))),
  interval('historical line item', `${historical}.0.line_items.0`, days, inHistory),
  interval('payment schedule', 'payment_schedules.0', days, (of) => withSchedules(schedule(of))),
  interval('statement', 'statements.0', ['bill_period_from_date', 'bill_period_to_date'], (of) =>
    withStatements(statement(of)),
  ),
]

const exclusive: readonly Interval[] = [
  interval('agreement', `${point}.agreements.0`, ['effective_from', 'effective_to'], (of) =>
    withAgreements(agreement('', undefined, of)),
  ),
  interval('reading', `${point}.readings.0`, inInterval, (of) =>
    withReadings(reading(undefined, undefined, of)),
  ),
]

const valuesOf = (name: string): readonly [string, string] =>
  name === 'reading' ? ['2024-03-01T00:00:00Z', '2024-03-01T00:00:01Z'] : ['2024-03-01', '2024-03-02']

/** Single dates, and the two dates of an interval. */
export const dateCases: readonly RuleCases[] = [
  {
    code: 'start_date_later_than_end_date',
    fires: [...intervals, ...exclusive].map(([name, , end, make]) => {
      const [early, late] = valuesOf(name)
      return [name, make(late, early), end] as const
    }),
    silent: [
      ...[...intervals, ...exclusive].flatMap(([name, start, end, make]) => {
        const [early, late] = valuesOf(name)
        return [
          [name, make(early, late)],
          [`${name}, unreadable start`, make(null, early), [`${start} null`]],
          [`${name}, unreadable end`, make(late, null), [`${end} null`]],
          [`${name}, missing start`, make(undefined, early), [`${start} required`]],
        ] as const
      }),
      ...intervals.map(([name, , , make]) => [`${name}, one day`, make('2024-03-01', '2024-03-01')] as const),
    ],
  },
  {
    code: 'start_date_same_as_end_date',
    isWarning: true,
    fires: exclusive.map(([name, , end, make]) => {
      const [day] = valuesOf(name)
      return [name, make(day, day), end] as const
    }),
    silent: exclusive.flatMap(([name, start, end, make]) => {
      const [early, late] = valuesOf(name)
      return [
        [name, make(early, late)],
        [`${name}, both missing or unreadable`, make(null, null), [`${start} null`, `${end} null`]],
      ] as const
    }),
  },
  {
    code: 'transaction_in_future',
    under: historical,
    fires: [
      ['current', withCurrent(transaction({ transaction_date: tomorrow })), `${current}.0.transaction_date`],
      [
        'historical',
        withLedgers(
          ledger({
            last_statement_closing_date: today,
            historical_statement_transactions: [transaction({ transaction_date: tomorrow })],
          }),
        ),
        '.0.transaction_date',
        ['.0.transaction_date historical_statement_transaction_after_last_statement_closing_date'],
      ],
    ],
    silent: [
      ['today', withCurrent(transaction({ transaction_date: today }))],
      [
        'unreadable',
        withCurrent(transaction({ transaction_date: noon(tomorrow) })),
        [`${current}.0.transaction_date datetime`],
      ],
    ],
  },
  {
    code: 'future_supply_start_date',
    isWarning: true,
    fires: [
      [
        'tomorrow',
        withPoint({ supply_start_date: tomorrow, agreements: [agreement(tomorrow)] }),
        `${point}.supply_start_date`,
      ],
    ],
    silent: [
      ['today', withPoint({ supply_start_date: today, agreements: [agreement(today)] })],
      ['unreadable', withPoint({ supply_start_date: '2999' }), [`${point}.supply_start_date invalid`]],
    ],
  },
  {
    code: 'historical_statement_period_end_in_future',
    under: 'statements.0',
    isWarning: true,
    fires: [
      ['tomorrow', withStatements(statement({ bill_period_to_date: tomorrow })), '.bill_period_to_date'],
    ],
    silent: [
      ['today', withStatements(statement({ bill_period_to_date: today }))],
      [
        'unreadable',
        withStatements(statement({ bill_period_to_date: '2999-02-29' })),
        ['.bill_period_to_date invalid'],
      ],
    ],
  },
  {
    code: 'date_in_future',
    isWarning: true,
    fires: [
      ['last billed day', withPoint({ last_billed_to_date: tomorrow }), `${point}.last_billed_to_date`],
      [
        'closing date',
        withLedgers(ledger({ last_statement_closing_date: tomorrow })),
        'ledgers.0.last_statement_closing_date',
      ],
      [
        'reading',
        withReadings(reading(noon('2025-08-01'), `${tomorrow}T00:00:00Z`)),
        `${point}.readings.0.interval_end`,
      ],
      ['note', withNote({ created_at: `${tomorrow}T00:00:00Z` }), 'notes.0.created_at'],
    ],
    silent: [
      ['billed today', withPoint({ last_billed_to_date: today })],
      ['closed today', withLedgers(ledger({ last_statement_closing_date: today }))],
      ['read in the last second of today', withReadings(reading(noon('2025-08-01'), `${today}T23:59:59Z`))],
      ['written in the last second of today', withNote({ created_at: `${today}T23:59:59Z` })],
      ['unpinned later', withNote({ unpin_at: noon('2999-01-01'), is_pinned: true })],
      ['unreadable', withNote({ created_at: tomorrow }), ['notes.0.created_at date']],
    ],
  },
]
