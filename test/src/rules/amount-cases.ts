import {
  current,
  historical,
  line,
  point,
  transaction,
  withCurrent,
  withHistorical,
  withItem,
  withLines,
} from '../support/account-parts.js'
import type { RuleCases } from './support.js'

type Fields = Readonly<Record<string, unknown>>

const of = (type: string, amount: unknown, fields: Fields = {}): Fields =>
  transaction({ type, amount, reason: 'R', ...fields })
const amount = `${current}.0.amount`
const tax = (of: unknown) => ({
  amount: of,
  tax_type: 'VAT',
  value_taxed: 1,
  rate: 0.21,
  unit_type: 'PROPORTION',
})
const taxed = (sum: unknown, lines: readonly unknown[], taxes: unknown): Fields =>
  withCurrent(
    transaction({
      amount: sum,
      line_items: lines.map((net_amount) => line({ net_amount })),
      tax_items: taxes,
    }),
  )
const inLine = (fields: Fields, rest: unknown): Fields => withLines(line(fields), line({ net_amount: rest }))

/** Net amount, units and price; and the rest to 10. */
type Product = readonly [why: string, net: unknown, units: unknown, price: unknown, rest: unknown]

const wrong: readonly Product[] = [
  ['exactly a cent more', 10.01, 10, 1, '-0.01'],
  ['exactly a cent less', '9.99', '10', '1.0', 0.01],
  ['another sign', -10, 10, 1, 20],
  ['nothing', 0, 10, 1, 10],
  ['a cent in the largest', '9999999990.01', '100000000', '99.9999999', '-9999999980.01'],
  ['far too much', 10, '999999999999.9999', '99999999.9999999', 0],
]
const right: readonly Product[] = [
  ['the product', 10, 10, 1, 0],
  ['a number and texts', 0.3, '3.000', '0.1', 9.7],
  ['less than a cent more', '10.0099999999', 10, 1, '-0.0099999999'],
  ['less than a cent less', '9.9900000001', 10, 1, '0.0099999999'],
  ['negative', -1.77, -3, 0.59, 11.77],
  [
    'less than a cent in the largest',
    '9999999990.0099999999',
    100000000,
    99.9999999,
    '-9999999980.0099999999',
  ],
  ['no price', 123, 10, undefined, -113],
]

const product = (code: string, path: string, make: (fields: Fields, rest: unknown) => Fields): RuleCases => {
  const account = ([, net_amount, number_of_units, price_per_unit, rest]: Product): Fields =>
    make({ net_amount, number_of_units, price_per_unit }, rest)
  return {
    code,
    isWarning: true,
    fires: wrong.map((each) => [each[0], account(each), path]),
    silent: right.map((each) => [each[0], account(each)]),
  }
}

/** Amounts of transactions and items. */
export const amountCases: readonly RuleCases[] = [
  ...(['CREDIT', 'CHARGE'] as const).map((type): RuleCases => ({
    code: `negative_${type.toLowerCase()}`,
    isWarning: true,
    fires: [
      ...['-0.01', -5].map((value) => [type, withCurrent(of(type, value)), amount] as const),
      ['historical', withHistorical(of(type, -1)), `${historical}.0.amount`],
    ],
    silent: [
      ['zero', withCurrent(of(type, 0), of(type, '-0.00'))],
      ['a cent', withCurrent(of(type, '0.01'))],
      ['another type', withCurrent(of('PAYMENT', 1))],
    ],
  })),
  {
    code: 'non_positive_payment_amount',
    isWarning: true,
    fires: [
      ...['PAYMENT', 'REPAYMENT'].flatMap((type) =>
        [0, '-0.01', -5].map((value) => [type, withCurrent(of(type, value)), amount] as const),
      ),
      ['historical', withHistorical(of('PAYMENT', 0)), `${historical}.0.amount`],
    ],
    silent: [
      ['a cent', withCurrent(of('PAYMENT', '0.01'))],
      ['a charge', withCurrent(of('CHARGE', 1), of('CREDIT', 0))],
      ['unreadable amount', withCurrent(of('PAYMENT', null)), [`${current}.0.amount null`]],
      ['unreadable type', withCurrent(of('payment', -1)), [`${current}.0.type invalid_choice`]],
    ],
  },
  {
    code: 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
    under: current,
    isWarning: true,
    fires: [
      ['a cent', taxed('12.11', [10], [tax(2.1)]), amount],
      ['a cent less', taxed(12.09, [4, '6'], [tax(2), tax('0.1')]), amount],
      ['no tax', taxed(12.1, [10], undefined), amount],
      ['an empty list of taxes', taxed(12.1, [10], []), amount],
      ['a cent in the largest', taxed('9999999999.99', ['9999999999.98'], []), amount],
      [
        'historical',
        withHistorical(transaction({ amount: 1, line_items: [line()] })),
        `${historical}.0.amount`,
      ],
    ],
    silent: [
      ['the sum', taxed(12.1, [10], [tax(2.1)])],
      ['no lines', taxed(12.1, [], undefined)],
      ['taxes alone', withCurrent(transaction({ tax_items: [tax(99)] }))],
      ['less than a cent', taxed(12.1, ['10.0099999999'], [tax('2.1')])],
      ['less than a cent the other way', taxed(12.1, ['9.9900000001'], [tax(2.1)])],
      ['less than a cent in the largest', taxed('9999999999.99', ['9999999999.9999999999'], [])],
      [
        'unreadable line, net amount, tax',
        withCurrent(
          transaction({ line_items: [null] }),
          transaction({ line_items: [line({ net_amount: 'x' }), line()] }),
          transaction({ line_items: [line()], tax_items: [tax(null)] }),
          transaction({ line_items: [line()], tax_items: 1 }),
          transaction({ line_items: [line()], amount: 1.001 }),
        ),
        [
          '.0.line_items.0 null',
          '.1.line_items.0.net_amount invalid',
          '.2.tax_items.0.amount null',
          '.3.tax_items not_a_list',
          '.4.amount max_decimal_places',
        ],
      ],
    ],
  },
  product('incorrect_line_item_net_amount', `${current}.0.line_items.0.net_amount`, inLine),
  product('incorrect_billable_item_net_amount', `${point}.billable_items.0.net_amount`, withItem),
  {
    code: 'incorrect_billable_item_net_amount',
    isWarning: true,
    fires: [
      [
        'a cent',
        withItem({ net_amount: 2, number_of_units: 1, price_per_unit: 1.99 }),
        `${point}.billable_items.0.net_amount`,
      ],
    ],
    silent: [
      ['no units', withItem({ price_per_unit: 5 })],
      ['no price', withItem({ number_of_units: 5 })],
      [
        'unreadable',
        withItem({ number_of_units: 5, price_per_unit: 'x' }),
        [`${point}.billable_items.0.price_per_unit invalid`],
      ],
    ],
  },
]
