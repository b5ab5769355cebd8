import { changed, replaced, type Fault } from './fault.js'
import { at, listAt, pathsOf, set, textAt, type Json } from './json.js'
import { shift } from './supply-faults.js'

const historical = 'ledgers.*.historical_statement_transactions.*'
const current = 'ledgers.*.current_statement_transactions.*'
const pair = historical.replace(/\*$/, '1')
const line = `${historical}.line_items.*`
const CLOSING = 'last_statement_closing_date'
const HISTORICAL = 'historical_statement_transaction'
const BEFORE = 'current_statement_transaction_before_last_statement_closing_date'
const MISMATCH = 'balance_mismatch_on_ledger_balance'
const NOT_THE_SUM = 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount'

/** A field of the ledger that holds a place. */
const inLedger = (path: string, field: string): string => `${path.split('.', 2).join('.')}.${field}`

/** Puts a value that breaks the balance of the ledger too. */
const unbalanced = (code: Fault['code'], pattern: string, value: Json): Fault =>
  changed('ledgers.sums', code, pattern, (account, path) => {
    if (path.includes('transactions') && textAt(account, path.replace(/amount$/, 'type')) !== 'PAYMENT')
      return undefined
    return [
      [set(account, path, value), code],
      [inLedger(path, 'ledger_balance'), MISMATCH],
    ]
  })

/** Moves a transaction to a day counted from the last closing date. */
const moved = (code: Fault['code'], list: string, days: number): Fault =>
  changed('ledgers.sums', code, `${list}.transaction_date`, (account, path) => {
    set(account, path, textAt(account, inLedger(path, CLOSING)))
    return shift(account, path, days)
  })

const sums: readonly Fault[] = [
  replaced('ledgers.sums', MISMATCH, 'ledgers.*.ledger_balance', '77777.77'),
  unbalanced(`${HISTORICAL}s_balance_mismatch`, 'ledgers.*.last_statement_balance', 77_777.77),
  unbalanced('non_positive_payment_amount', `${current}.amount`, -0.5),
  replaced('ledgers.sums', 'transaction_in_future', `${current}.transaction_date`, '2999-01-01'),
  moved(BEFORE, current, 0),
  moved('historical_statement_transaction_after_last_statement_closing_date', historical, 1),
  replaced('ledgers.sums', `historical_statement_transactions_require_${CLOSING}`, `ledgers.*.${CLOSING}`),
  changed('ledgers.sums', 'date_in_future', `ledgers.*.${CLOSING}`, (account, path) => {
    const list = inLedger(path, 'current_statement_transactions')
    const early = [...listAt(account, list).keys()].map((index) => `${list}.${index}.transaction_date`)
    return [
      [set(account, path, '2999-01-01'), 'date_in_future'],
      ...early.map((attr) => [attr, BEFORE] as const),
    ]
  }),
]

const codesAndTexts: readonly Fault[] = [
  // If an amount or a type cannot be read, no sum is checked.
  replaced('ledgers', 'max_decimal_places', `${historical}.amount`, 12.345),
  replaced('ledgers', 'invalid', `${historical}.amount`, '12,50'),
  replaced('ledgers', 'max_digits', `${historical}.amount`, 0.300_000_000_000_000_04),
  replaced('ledgers', 'invalid_choice', `${current}.type`, 'REFUND'),
  replaced('ledgers.code', 'null', 'ledgers.*.ledger_code', null),
  changed('ledgers.code', 'duplicate_ledger_entries_found', 'ledgers.0.ledger_code', (account, path) => {
    const count = listAt(account, 'ledgers').push({ ledger_code: textAt(account, path) })
    return `ledgers.${count - 1}.ledger_code`
  }),
  replaced('ledgers.texts', 'blank', `${historical}.transaction_id`, ''),
  replaced('ledgers.texts', 'required', `${historical}.product_code`),
  changed('ledgers.texts', 'duplicate_transaction_ids', `${pair}.transaction_id`, (account, path) =>
    set(account, path, at(account, path.replace('.1.', '.0.'))),
  ),
  changed('ledgers.texts', 'transaction_reason_missing', 'ledgers', (account) => {
    const reasons = [historical, current].flatMap((list) => pathsOf(account, `${list}.reason`))
    const path = reasons.find((each) =>
      /^(CHARGE|CREDIT)$/.test(textAt(account, each.replace(/reason$/, 'type'))),
    )
    return path === undefined ? undefined : set(account, path, undefined)
  }),
]

const lines: readonly Fault[] = [
  changed('ledgers.lines', 'incorrect_line_item_net_amount', `${line}.net_amount`, (account, path) => [
    [set(account, path, 77_777.77), 'incorrect_line_item_net_amount'],
    [path.replace(/line_items.*$/, 'amount'), NOT_THE_SUM],
  ]),
  changed('ledgers.lines', NOT_THE_SUM, `${historical}.tax_items.*.amount`, (account, path) =>
    set(account, path, 88_888.88).replace(/tax_items.*$/, 'amount'),
  ),
  replaced('ledgers.lines', 'empty', `${historical}.line_items`, []),
  replaced('ledgers.lines', 'line_item_units_must_be_two_values', `${line}.units`, [10_251]),
  replaced('ledgers.lines', 'start_date_later_than_end_date', `${line}.end_date`, '2001-01-01'),
  replaced('ledgers.lines', 'invalid', `${line}.number_of_units`, 1e-7),
]

const statements: readonly Fault[] = [
  changed('statements', 'duplicate_statement_ids', 'statements.1.statement_id', (account, path) =>
    set(account, path, at(account, 'statements.0.statement_id')),
  ),
  changed('statements', 'periods_share_days', 'statements.5', (account) => {
    // Each period begins on the last day of the one before.
    for (const path of pathsOf(account, 'statements.*.bill_period_from_date')) shift(account, path, -1)
    return 'statements'
  }),
  replaced(
    'statements',
    'historical_statement_period_end_in_future',
    'statements.*.bill_period_to_date',
    '2999-12-31',
  ),
  replaced('statements', 'start_date_later_than_end_date', 'statements.*.bill_period_to_date', '2001-01-01'),
  replaced('statements', 'document_path_outside_root', 'statements.*.statement_path', '%2e%2e/1.pdf'),
]

/** Faults in ledgers, transactions and statements. */
export const ledgerFaults: readonly Fault[] = [...sums, ...codesAndTexts, ...lines, ...statements]
