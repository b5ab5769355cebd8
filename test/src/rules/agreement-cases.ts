import { agreement, point, supplyPoint, withPoint, withPoints } from '../support/account-parts.js'
import type { RuleCases } from './support.js'

const from = (index: number): string => `${point}.agreements.${index}.effective_from`
/** Agreements by their first day and, if they have one, the day on which they end. */
const dealsOf = (spans: readonly unknown[]) =>
  spans.map((span) => (typeof span === 'string' ? agreement(...span.split(' ')) : span))
const covering = (...spans: readonly unknown[]) => withPoint({ agreements: dealsOf(spans) })
const billed = (last_billed_to_date: unknown, ...spans: readonly unknown[]) =>
  withPoint({ last_billed_to_date, agreements: dealsOf(spans) })

/** The days that agreements cover, and the last billed one. */
export const agreementCases: readonly RuleCases[] = [
  {
    code: 'agreement_dates_overlap',
    under: point,
    fires: [
      ['one day', covering('2024-01-01 2024-03-01', '2024-02-29 2024-04-01'), from(1)],
      ['after an open end', covering('2024-01-01', '2025-01-01'), from(1)],
      [
        'with one long before',
        covering('2024-01-01 2025-01-01', '2024-02-01 2024-03-01', '2024-06-01 2024-07-01'),
        [from(1), from(2)],
      ],
      [
        'sorted by start, then by place',
        covering('2024-03-01 2024-05-01', '2024-03-01 2024-04-01', '2024-01-01 2024-03-02'),
        [from(0), from(1)],
      ],
    ],
    silent: [
      ['one ends where the next begins', covering('2024-01-01 2024-03-01', '2024-03-01')],
      ['sent in another order', covering('2024-03-01', '2024-01-01 2024-03-01')],
      [
        'one that covers nothing',
        covering('2024-01-01', '2024-02-01 2024-02-01'),
        ['.agreements.1.effective_to start_date_same_as_end_date'],
      ],
      [
        'one that ends before it begins',
        covering('2024-01-01', '2024-02-01 2024-01-31'),
        ['.agreements.1.effective_to start_date_later_than_end_date'],
      ],
      [
        'unreadable ones',
        covering('2024-01-01', agreement(null), '2024-02-01 never', null),
        ['.agreements.1.effective_from null', '.agreements.2.effective_to invalid', '.agreements.3 null'],
      ],
      ['of another supply point', withPoints(supplyPoint(), supplyPoint({ identifier: 'Y' }))],
    ],
  },
  {
    code: 'gap_in_agreement_dates',
    isWarning: true,
    fires: [
      ['one day', covering('2024-01-01 2024-03-01', '2024-03-02'), from(1)],
      [
        'sent in another order, after a long one',
        covering('2024-05-01', '2024-01-01 2024-04-01', '2024-04-01 2024-04-30'),
        from(0),
      ],
    ],
    silent: [
      [
        'covered by an unreadable one, which is left out',
        covering('2024-01-01 2024-02-01', agreement('2024-02-01', null)),
        [`${point}.agreements.1.effective_to null`],
      ],
    ],
  },
  {
    code: 'agreement_start_date_before_supply_start_date',
    isWarning: true,
    fires: [['one day', covering('2023-12-31'), from(0)]],
    silent: [
      ['the same day', covering('2024-01-01')],
      [
        'unreadable start of supply',
        withPoint({ supply_start_date: null, agreements: [agreement('1999-12-31')] }),
        [`${point}.supply_start_date null`],
      ],
    ],
  },
  {
    code: 'supply_point_with_no_agreement',
    under: point,
    isWarning: true,
    fires: [
      ['absent', withPoint({ agreements: undefined }), '.agreements'],
      ['empty', withPoint({ agreements: [], last_billed_to_date: '2024-02-01' }), '.agreements'],
    ],
    silent: [
      ['one', withPoint({})],
      ['an unreadable one', withPoint({ agreements: [1] }), ['.agreements.0 not_a_dict']],
      ['an unreadable list', withPoint({ agreements: null }), ['.agreements null']],
    ],
  },
  {
    code: 'no_agreement_covering_last_billed_to_date',
    under: point,
    isWarning: true,
    fires: [
      ['the day of the end', billed('2024-03-01', '2024-01-01 2024-03-01'), '.last_billed_to_date'],
      ['the day before', billed('2024-01-31', '2024-02-01'), '.last_billed_to_date'],
    ],
    silent: [
      ['the first day', billed('2024-02-01', '2024-02-01')],
      ['the last day', billed('2024-02-29', '2024-01-01 2024-03-01')],
      ['the second one', billed('2024-04-01', '2024-01-01 2024-03-01', '2024-03-01')],
      ['not billed', billed(undefined, '2024-01-01 2024-02-01')],
      ['unreadable day', billed('x', '2024-01-01'), ['.last_billed_to_date invalid']],
      ['unreadable agreement', billed('2025-01-01', '2024-01-01 2024-02-01', null), ['.agreements.1 null']],
      ['unreadable end', billed('2025-01-01', '2024-01-01 2024'), ['.agreements.0.effective_to invalid']],
      [
        'another field unreadable',
        billed('2024-02-01', agreement('2024-01-01', undefined, { cnae: 1 })),
        ['.agreements.0.cnae invalid'],
      ],
    ],
  },
  {
    code: 'last_billed_to_date_before_supply_start_date',
    under: point,
    isWarning: true,
    fires: [
      [
        'one day',
        billed('2023-12-31', '2024-01-01'),
        '.last_billed_to_date',
        ['.last_billed_to_date no_agreement_covering_last_billed_to_date'],
      ],
    ],
    silent: [
      ['the same day', billed('2024-01-01', '2024-01-01')],
      [
        'unreadable start',
        withPoint({ supply_start_date: 1, last_billed_to_date: '2024-01-01' }),
        ['.supply_start_date invalid'],
      ],
    ],
  },
]
