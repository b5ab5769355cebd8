import { at, drop, pathsOf, set, textAt, type Json } from './json.js'
import { choose, dropped, found, replaced, type Fault, type Finding } from './fault.js'

export const historical = 'ledgers.*.historical_statement_transactions.*'
const line = `${historical}.line_items.*`

/** The paths of all transactions, those of statements first. */
const transactions = (account: Json): readonly string[] => [
  ...pathsOf(account, historical),
  ...pathsOf(account, 'ledgers.*.current_statement_transactions.*'),
]

const texts: readonly Fault[] = [
  replaced('ledgers.texts', `${historical}.transaction_id`, '', 'blank'),
  replaced('ledgers.texts', `${historical}.transaction_id`, 'T\u0007', 'invalid'),
  replaced('ledgers.texts', `${historical}.reference`, 'r'.repeat(256), 'max_length'),
  dropped('ledgers.texts', `${historical}.product_code`),
  found('ledgers.texts', 'duplicate_transaction_ids', (account, random) => {
    const path = choose(account, random, 'ledgers.*.historical_statement_transactions.1.transaction_id')
    if (path === undefined) return undefined
    set(account, path, at(account, path.replace('.1.transaction_id', '.0.transaction_id')) ?? null)
    return path
  }),
  found('ledgers.texts', 'transaction_reason_missing', (account) => {
    const path = transactions(account).find((each) =>
      ['CHARGE', 'CREDIT'].includes(textAt(account, `${each}.type`)),
    )
    if (path === undefined) return undefined
    drop(account, `${path}.reason`)
    return `${path}.reason`
  }),
]

const wrongLine: Fault = {
  zone: 'ledgers.lines',
  code: 'incorrect_line_item_net_amount',
  put: (account, random): readonly Finding[] => {
    const path = choose(account, random, `${line}.net_amount`)
    if (path === undefined) return []
    set(account, path, 77_777.77)
    return [
      { attr: path, code: 'incorrect_line_item_net_amount' },
      {
        attr: `${path.split('.line_items')[0]}.amount`,
        code: 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
      },
    ]
  },
}

const lines: readonly Fault[] = [
  wrongLine,
  found(
    'ledgers.lines',
    'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
    (account, random) => {
      const path = choose(account, random, `${historical}.tax_items.*.amount`)
      if (path === undefined) return undefined
      set(account, path, 88_888.88)
      return `${path.split('.tax_items')[0]}.amount`
    },
  ),
  replaced('ledgers.lines', `${historical}.line_items`, [], 'empty'),
  dropped('ledgers.lines', `${historical}.line_items`),
  replaced('ledgers.lines', `${line}.units`, [10_251], 'line_item_units_must_be_two_values'),
  replaced('ledgers.lines', `${line}.end_date`, '2001-01-01', 'start_date_later_than_end_date'),
  replaced('ledgers.lines', `${line}.number_of_units`, 1e-7, 'invalid'),
  dropped('ledgers.lines', `${historical}.tax_items.*.unit_type`),
  replaced('ledgers.lines', `${historical}.tax_items.*.rate`, '21 %', 'invalid'),
]

/** Faults in transactions that leave the balances right. */
export const transactionFaults: readonly Fault[] = [...texts, ...lines]
