import {
  current,
  historical,
  holder,
  ledger,
  point,
  statement,
  supplyPoint,
  transaction,
  withDetails,
  withLedgers,
  withPoint,
  withPoints,
  withStatements,
} from '../support/account-parts.js'
import type { RuleCases } from './support.js'

const details = 'customers.0.user_details'
const detail = (namespace: unknown) => ({ namespace, value: 'v' })
const special = ['__proto__', 'constructor', 'toString', '__proto__']
const withTariffs = (...days: readonly unknown[]) =>
  withPoint({ atr_tariffs: days.map((valid_from) => ({ value: 'T', valid_from })) })
const withCodes = (...codes: readonly unknown[]) =>
  withLedgers(...codes.map((ledger_code) => ledger({ ledger_code })))
const withIds = (...ids: readonly unknown[]) =>
  withStatements(...ids.map((statement_id) => statement({ statement_id })))
const withKeys = (...keys: readonly unknown[]) => ({ metadata: keys.map((key) => ({ key, value: {} })) })
const withReferences = (...pairs: readonly (readonly [unknown, unknown])[]) => ({
  references: pairs.map(([namespace, value]) => ({ namespace, value })),
})
const ids = (...all: readonly unknown[]) => all.map((transaction_id) => transaction({ transaction_id }))
const closed = (fields: object) => ledger({ last_statement_closing_date: '2025-01-15', ...fields })
const later = (transactions: readonly object[]) =>
  transactions.map((each) => ({ ...each, transaction_date: '2025-02-01' }))

/** Values that must not be repeated. */
export const duplicateCases: readonly RuleCases[] = [
  {
    code: 'duplicate_transaction_ids',
    under: current,
    fires: [
      [
        'in one list',
        withLedgers(ledger({ current_statement_transactions: ids('T', 'U', 'T', 'T') })),
        ['.2.transaction_id', '.3.transaction_id'],
      ],
      [
        'in the other list',
        withLedgers(
          closed({
            historical_statement_transactions: ids('T'),
            current_statement_transactions: later(ids('T')),
          }),
        ),
        `${historical}.0.transaction_id`,
      ],
      [
        'in another ledger',
        withLedgers(
          closed({ historical_statement_transactions: ids('T') }),
          ledger({ ledger_code: 'M', current_statement_transactions: ids('T') }),
        ),
        'ledgers.1.current_statement_transactions.0.transaction_id',
      ],
      [
        'special names',
        withLedgers(ledger({ current_statement_transactions: ids(...special) })),
        '.3.transaction_id',
      ],
    ],
    silent: [
      [
        'compared exactly',
        withLedgers(ledger({ current_statement_transactions: ids('T', 't', 'T ', 'Ｔ') })),
      ],
      [
        'unreadable',
        withLedgers(ledger({ current_statement_transactions: [...ids(null, null, 'T'), null] })),
        ['.0.transaction_id null', '.1.transaction_id null', '.3 null'],
      ],
    ],
  },
  {
    code: 'duplicate_ledger_entries_found',
    under: 'ledgers',
    fires: [
      ['the same', withCodes('L', 'M', 'L'), '.2.ledger_code'],
      ['special names', withCodes(...special), '.3.ledger_code'],
    ],
    silent: [
      ['different', withCodes('L', 'l', 'L ')],
      ['unreadable', withCodes('L', 1, undefined), ['.1.ledger_code invalid', '.2.ledger_code required']],
    ],
  },
  {
    code: 'duplicate_statement_ids',
    under: 'statements',
    fires: [
      ['the same', withIds('S', 'S', 'R', 'S'), ['.1.statement_id', '.3.statement_id']],
      ['special names', withIds(...special), '.3.statement_id'],
    ],
    silent: [
      ['different', withIds('S', 's')],
      ['unreadable', withIds('S', null, null), ['.1.statement_id null', '.2.statement_id null']],
    ],
  },
  {
    code: 'duplicate_atr_tariff_dates',
    fires: [
      [
        'the same day',
        withTariffs('2024-01-01', '2024-02-01', '2024-01-01'),
        `${point}.atr_tariffs.2.valid_from`,
      ],
    ],
    silent: [
      ['different days', withTariffs('2024-01-01', '2024-01-02')],
      [
        'another supply point',
        withPoints(
          ...['X', 'Y'].map((identifier) =>
            supplyPoint({ identifier, atr_tariffs: [{ value: 'T', valid_from: '2024-01-01' }] }),
          ),
        ),
      ],
      ['unreadable', withTariffs('2024-01-01', null), [`${point}.atr_tariffs.1.valid_from null`]],
    ],
  },
  {
    code: 'duplicate_user_details',
    under: details,
    fires: [
      ['the same', withDetails(detail('a'), detail('b'), detail('a')), '.2.namespace'],
      ['special names', withDetails(...special.map(detail)), '.3.namespace'],
    ],
    silent: [
      ['different', withDetails(detail('a'), detail('A'))],
      ['of another customer', { customers: [0, 1].map(() => holder({ user_details: [detail('a')] })) }],
      ['unreadable', withDetails(detail('a'), detail(' ')), ['.1.namespace blank']],
    ],
  },
  {
    code: 'metadata_has_duplicate_keys',
    under: 'metadata',
    fires: [
      ['the same', withKeys('k', 'k', 'k'), ['.1.key', '.2.key']],
      ['special names', withKeys(...special), '.3.key'],
    ],
    silent: [
      ['different', withKeys('k', 'K', 'k ')],
      ['unreadable', withKeys('k', '', '\t'), ['.1.key blank', '.2.key blank']],
    ],
  },
  {
    code: 'duplicate_references',
    under: 'references',
    fires: [
      ['namespace and value', withReferences(['n', 'v'], ['n', 'w'], ['n', 'v']), '.2.value'],
      ['special names', withReferences(['__proto__', 'v'], ['__proto__', 'v']), '.1.value'],
    ],
    silent: [
      ['one of the two', withReferences(['n', 'v'], ['m', 'v'], ['n', 'w'])],
      [
        'the same when joined',
        withReferences(['a', 'bx\nc'], ['ab', 'x\nc'], ['a b', 'c'], ['a', 'b c']),
        ['.0.value line_break_in_text', '.1.value line_break_in_text'],
      ],
      [
        'unreadable',
        withReferences(['n', 'v'], ['n', null], [' ', 'v']),
        ['.1.value null', '.2.namespace blank'],
      ],
    ],
  },
]
