import {
  current,
  historical,
  ledger,
  line,
  transaction,
  withCurrent,
  withLedgers,
} from '../support/account-parts.js'
import type { RuleCases } from './support.js'

type Fields = Readonly<Record<string, unknown>>

const kinds = { PAYMENT: 1, CREDIT: 1, CHARGE: -1, REPAYMENT: -1 } as const
const of = (type: string, amount: unknown, fields: Fields = {}): Fields =>
  transaction({ type, amount, reason: 'R', ...fields })
const balanced = (fields: Fields, ...transactions: readonly unknown[]): Fields =>
  withLedgers(ledger({ current_statement_transactions: transactions, ...fields }))
const closed = (fields: Fields, ...transactions: readonly unknown[]): Fields =>
  withLedgers(
    ledger({
      last_statement_closing_date: '2025-08-31',
      historical_statement_transactions: transactions,
      ...fields,
    }),
  )
const largest = 9_999_999_999.99
const many = (length: number, amount: unknown) => Array.from({ length }, () => of('PAYMENT', amount))
const balance = 'ledgers.0.ledger_balance'
const last = 'ledgers.0.last_statement_balance'
const dated = (transaction_date: unknown) => transaction({ transaction_date })

/** Balances and closing dates of ledgers. */
export const balanceCases: readonly RuleCases[] = [
  {
    code: 'balance_mismatch_on_ledger_balance',
    under: 'ledgers',
    isWarning: true,
    fires: [
      ['a cent', withLedgers(ledger({ ledger_balance: 1, last_statement_balance: '1.01' })), balance],
      ['no transaction', balanced({ ledger_balance: 0.01 }), balance],
      ...Object.entries(kinds).map(
        ([type, sign]) => [type, balanced({ ledger_balance: -10 * sign }, of(type, 10)), balance] as const,
      ),
    ],
    silent: [
      ['the same', withLedgers(ledger({ ledger_balance: '1.50', last_statement_balance: 1.5 }))],
      ['neither of the two', withLedgers(ledger({ ledger_balance: 5 }))],
      ['no balance', balanced({ last_statement_balance: 5 }, of('PAYMENT', 1))],
      ...Object.entries(kinds).map(
        ([type, sign]) => [type, balanced({ ledger_balance: 10 * sign }, of(type, '10.0'))] as const,
      ),
      [
        'SUPPLY_CHARGE',
        balanced(
          { ledger_balance: -10 },
          of('SUPPLY_CHARGE', 10, { product_code: 'P', line_items: [line()] }),
        ),
      ],
      ['no transaction and a balance of zero', balanced({ ledger_balance: '-0.00' })],
      [
        'a sum that doubles would get wrong',
        balanced({ ledger_balance: 0.3, last_statement_balance: 0 }, of('CREDIT', 0.1), of('CREDIT', '0.2')),
      ],
      [
        'unreadable balances',
        withLedgers(
          ledger({ ledger_balance: 1.234, last_statement_balance: 1 }),
          ledger({ ledger_code: 'M', ledger_balance: 1, last_statement_balance: null }),
        ),
        [`${balance} max_decimal_places`, '.1.last_statement_balance null'],
      ],
      [
        'one unreadable transaction, type, amount, or list',
        withLedgers(
          ...[[null], [of('X', 1)], [of('PAYMENT', 'x')], [of('PAYMENT', undefined)], {}].map((list, index) =>
            ledger({ ledger_code: `L${index}`, ledger_balance: 7, current_statement_transactions: list }),
          ),
        ),
        [
          '.0.current_statement_transactions.0 null',
          '.1.current_statement_transactions.0.type invalid_choice',
          '.2.current_statement_transactions.0.amount invalid',
          '.3.current_statement_transactions.0.amount required',
          '.4.current_statement_transactions not_a_list',
        ],
      ],
    ],
  },
  {
    code: 'historical_statement_transactions_balance_mismatch',
    isWarning: true,
    fires: [
      ['a cent', closed({ last_statement_balance: 9.99 }, of('PAYMENT', 10)), last],
      ['the other way', closed({ last_statement_balance: 10 }, of('CHARGE', 10)), last],
      [
        'a cent beyond the safe integers',
        closed(
          { last_statement_balance: '0.01' },
          ...many(9999, largest).map((each, index) => ({
            ...each,
            type: index % 2 === 0 ? 'CHARGE' : 'CREDIT',
          })),
          of('CREDIT', largest),
        ),
        last,
      ],
    ],
    silent: [
      ['the sum', closed({ last_statement_balance: '-5' }, of('PAYMENT', '5.00'), of('REPAYMENT', 10))],
      ['no transaction', closed({ last_statement_balance: 3 })],
      ['absent', withLedgers(ledger({ last_statement_balance: 3 }))],
      ['no balance', closed({}, of('PAYMENT', 5))],
      [
        'halves that are far beyond the safe integers',
        closed(
          { last_statement_balance: 0 },
          ...many(5000, largest),
          ...many(5000, largest).map((each) => ({ ...each, type: 'CHARGE' })),
        ),
      ],
      [
        'unreadable',
        closed({ last_statement_balance: 3 }, of('PAYMENT', null)),
        [`${historical}.0.amount null`],
      ],
    ],
  },
  {
    code: 'historical_statement_transactions_require_last_statement_closing_date',
    under: 'ledgers.0',
    isWarning: true,
    fires: [
      [
        'absent',
        closed({ last_statement_closing_date: undefined }, transaction()),
        '.last_statement_closing_date',
      ],
      [
        'absent, for an unreadable one',
        closed({ last_statement_closing_date: undefined }, null),
        '.last_statement_closing_date',
        [`${historical}.0 null`],
      ],
    ],
    silent: [
      ['given', closed({}, transaction())],
      ['none', closed({ last_statement_closing_date: undefined })],
      ['current ones', withCurrent(transaction())],
      [
        'unreadable',
        closed({ last_statement_closing_date: '' }, transaction()),
        ['.last_statement_closing_date blank'],
      ],
      [
        'unreadable list',
        withLedgers(ledger({ historical_statement_transactions: {} })),
        [`${historical} not_a_list`],
      ],
    ],
  },
  {
    code: 'current_statement_transaction_before_last_statement_closing_date',
    under: current,
    isWarning: true,
    fires: ['2025-01-15', '2025-01-14'].map((date) => [
      date,
      balanced({ last_statement_closing_date: '2025-01-15' }, dated(date)),
      '.0.transaction_date',
    ]),
    silent: [
      ['the day after', balanced({ last_statement_closing_date: '2025-01-15' }, dated('2025-01-16'))],
      ['no closing date', balanced({}, dated('2025-01-16'))],
      [
        'unreadable',
        balanced({ last_statement_closing_date: '2025-01-15' }, dated(null), null),
        ['.0.transaction_date null', '.1 null'],
      ],
      [
        'unreadable closing date',
        balanced({ last_statement_closing_date: 1 }, dated('2000-01-01')),
        ['ledgers.0.last_statement_closing_date invalid'],
      ],
    ],
  },
  {
    code: 'historical_statement_transaction_after_last_statement_closing_date',
    under: historical,
    isWarning: true,
    fires: [
      [
        'the day after',
        closed({ last_statement_closing_date: '2025-01-15' }, dated('2025-01-16')),
        '.0.transaction_date',
      ],
    ],
    silent: [
      ['the day', closed({ last_statement_closing_date: '2025-01-15' }, dated('2025-01-15'))],
      [
        'unreadable',
        closed({ last_statement_closing_date: '2025-01-15' }, dated(''), dated(undefined)),
        ['.0.transaction_date blank', '.1.transaction_date required'],
      ],
    ],
  },
]
