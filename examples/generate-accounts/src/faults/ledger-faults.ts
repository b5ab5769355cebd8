import { shifted } from './agreement-faults.js'
import { at, listAt, set, textAt, type Json } from './json.js'
import { choose, dropped, found, replaced, type Fault, type Finding } from './fault.js'
import { historical } from './transaction-faults.js'

const zone = 'ledgers.sums'
const current = 'ledgers.*.current_statement_transactions.*'

/** The field of the ledger that holds a place inside it. */
const inLedger = (path: string, field: string): string => `${path.split('.').slice(0, 2).join('.')}.${field}`

const balances: readonly Fault[] = [
  replaced(zone, 'ledgers.*.ledger_balance', '77777.77', 'balance_mismatch_on_ledger_balance'),
  {
    zone,
    code: 'historical_statement_transactions_balance_mismatch',
    put: (account, random): readonly Finding[] => {
      const path = choose(account, random, 'ledgers.*.last_statement_balance')
      if (path === undefined) return []
      set(account, path, 77_777.77)
      return [
        { attr: path, code: 'historical_statement_transactions_balance_mismatch' },
        { attr: inLedger(path, 'ledger_balance'), code: 'balance_mismatch_on_ledger_balance' },
      ]
    },
  },
  {
    zone,
    code: 'non_positive_payment_amount',
    put: (account, random): readonly Finding[] => {
      const path = choose(account, random, `${current}.amount`)
      const type = path === undefined ? undefined : at(account, path.replace(/amount$/, 'type'))
      if (path === undefined || type !== 'PAYMENT') return []
      set(account, path, -0.5)
      return [
        { attr: path, code: 'non_positive_payment_amount' },
        { attr: inLedger(path, 'ledger_balance'), code: 'balance_mismatch_on_ledger_balance' },
      ]
    },
  },
]

/** Moves a transaction to a day counted from the last closing date. */
const moved = (pattern: string, days: number, code: Fault['code']): Fault =>
  found(zone, code, (account, random) => {
    const path = choose(account, random, `${pattern}.transaction_date`)
    if (path === undefined) return undefined
    set(account, path, shifted(textAt(account, inLedger(path, 'last_statement_closing_date')), days))
    return path
  })

const datesAfter = (account: Json, closing: string): readonly Finding[] => {
  const list = inLedger(closing, 'current_statement_transactions')
  return listAt(account, list).map((_, index) => ({
    attr: `${list}.${index}.transaction_date`,
    code: 'current_statement_transaction_before_last_statement_closing_date',
  }))
}

const dates: readonly Fault[] = [
  replaced(zone, `${current}.transaction_date`, '2999-01-01', 'transaction_in_future'),
  moved(current, 0, 'current_statement_transaction_before_last_statement_closing_date'),
  moved(historical, 1, 'historical_statement_transaction_after_last_statement_closing_date'),
  dropped(
    zone,
    'ledgers.*.last_statement_closing_date',
    'historical_statement_transactions_require_last_statement_closing_date',
  ),
  {
    zone,
    code: 'date_in_future',
    put: (account, random): readonly Finding[] => {
      const path = choose(account, random, 'ledgers.*.last_statement_closing_date')
      if (path === undefined) return []
      set(account, path, '2999-01-01')
      return [{ attr: path, code: 'date_in_future' }, ...datesAfter(account, path)]
    },
  },
]

/** Faults in an amount or a type: if one cannot be read, no sum is checked. */
const unreadable: readonly Fault[] = [
  replaced('ledgers', `${historical}.amount`, 12.345, 'max_decimal_places'),
  replaced('ledgers', `${historical}.amount`, '12,50', 'invalid'),
  replaced('ledgers', `${historical}.amount`, 12_345_678_901, 'max_whole_digits'),
  replaced('ledgers', `${historical}.amount`, 0.300_000_000_000_000_04, 'max_digits'),
  replaced('ledgers', `${current}.type`, 'REFUND', 'invalid_choice'),
  replaced('ledgers', 'ledgers.*.ledger_balance', '', 'blank'),
]

const codes: readonly Fault[] = [
  replaced('ledgers.code', 'ledgers.*.ledger_code', null, 'null'),
  found('ledgers.code', 'duplicate_ledger_entries_found', (account) => {
    const ledgers = listAt(account, 'ledgers')
    ledgers.push({ ledger_code: at(account, 'ledgers.0.ledger_code') ?? null })
    return `ledgers.${ledgers.length - 1}.ledger_code`
  }),
]

/** Faults in ledgers and in the amounts that make their balances. */
export const ledgerFaults: readonly Fault[] = [...balances, ...dates, ...unreadable, ...codes]
