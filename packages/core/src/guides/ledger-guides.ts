import type { Guides } from '../catalogue/guide.js'
import { accountTransactionsAt, ledgerPath, transactionPath } from './paths.js'

const payment = (id: string, date: string) => ({
  transaction_id: id,
  transaction_date: date,
  amount: '25.00',
  type: 'PAYMENT',
})

/** Ledgers and their balances, and where transactions stand. */
export const ledgerGuides = {
  transaction_in_future: {
    means: 'A transaction of the account is dated after today.',
    causes: [
      'Collections that are planned were exported with those that took place.',
      'Day and month were swapped.',
    ],
    fix: ['Export booked transactions only; planned collections are payment schedules.', 'Correct the date.'],
    at: accountTransactionsAt('transaction_date'),
    example: {
      in: transactionPath,
      bad: { transaction_date: '2205-05-12' },
      good: { transaction_date: '2025-05-12' },
    },
    related: ['date_in_future', 'transaction_outside_open_statement_period'],
  },
  duplicate_transaction_ids: {
    means: 'Two transactions of the account have the same transaction_id, in whichever ledger or list.',
    causes: [
      'A transaction stands in the historical and in the current list.',
      'Ids are unique only within a ledger in the old system.',
    ],
    fix: [
      'Keep the transaction in the list that its date belongs to.',
      'Put the ledger in front of ids that repeat.',
    ],
    at: accountTransactionsAt('transaction_id'),
    example: {
      in: ledgerPath,
      bad: {
        current_statement_transactions: [payment('T-0004', '2025-05-12'), payment('T-0004', '2025-05-20')],
      },
      good: {
        current_statement_transactions: [payment('T-0004', '2025-05-12'), payment('T-0005', '2025-05-20')],
      },
    },
    related: ['duplicate_statement_ids', 'duplicate_ledger_entries_found'],
  },
  duplicate_ledger_entries_found: {
    means: 'Two ledgers of the account have the same ledger_code.',
    causes: ['The export writes one ledger for each supply point or year.'],
    fix: [
      'Merge them: one balance, and all transactions in its lists.',
      'If they are two, give each its own code.',
    ],
    at: ['ledgers.N.ledger_code'],
    example: {
      in: '',
      bad: { ledgers: [{ ledger_code: 'SPAIN_GAS_LEDGER' }, { ledger_code: 'SPAIN_GAS_LEDGER' }] },
      good: { ledgers: [{ ledger_code: 'SPAIN_GAS_LEDGER' }, { ledger_code: 'SPAIN_ELECTRICITY_LEDGER' }] },
    },
    related: ['ledger_code_does_not_exist', 'duplicate_transaction_ids'],
  },
  balance_mismatch_on_ledger_balance: {
    means:
      'ledger_balance is not last_statement_balance plus the effects of the current transactions. Payments and credits add; charges, supply charges and repayments subtract.',
    causes: [
      'Debt was sent as a positive number: credit is positive here, debt negative.',
      'Transactions after the last statement are missing, or some stand in the historical list.',
    ],
    fix: [
      'Check the sign of both balances first.',
      'Add up the current transactions and look for the one that makes the difference.',
    ],
    at: ['ledgers.N.ledger_balance'],
    example: {
      in: ledgerPath,
      bad: {
        last_statement_balance: '-40.00',
        ledger_balance: '15.00',
        current_statement_transactions: [payment('T-0004', '2025-05-12')],
      },
      good: {
        last_statement_balance: '-40.00',
        ledger_balance: '-15.00',
        current_statement_transactions: [payment('T-0004', '2025-05-12')],
      },
    },
    related: ['historical_statement_transactions_balance_mismatch'],
  },
  historical_statement_transactions_balance_mismatch: {
    means: 'last_statement_balance is not the sum of the effects of the historical transactions.',
    causes: [
      'The history was cut, for example to the last two years, without an opening balance.',
      'The sign of the balance is turned.',
    ],
    fix: [
      'Send the whole history, or begin it with one CHARGE or CREDIT that carries the opening balance.',
      'Credit is positive, debt negative.',
    ],
    at: ['ledgers.N.last_statement_balance'],
    example: {
      in: ledgerPath,
      bad: {
        last_statement_balance: '-25.00',
        last_statement_closing_date: '2025-04-30',
        historical_statement_transactions: [payment('T-0001', '2025-03-10')],
      },
      good: {
        last_statement_balance: '25.00',
        last_statement_closing_date: '2025-04-30',
        historical_statement_transactions: [payment('T-0001', '2025-03-10')],
      },
    },
    related: ['balance_mismatch_on_ledger_balance'],
  },
  historical_statement_transactions_require_last_statement_closing_date: {
    means: 'The ledger has historical transactions but does not say when the last statement was closed.',
    causes: ['The closing date lies in the billing system and not in the ledger.'],
    fix: [
      'Add the last day of the last statement.',
      'If no statement was ever closed, all transactions are current ones.',
    ],
    at: ['ledgers.N.last_statement_closing_date'],
    example: {
      in: ledgerPath,
      bad: { historical_statement_transactions: [payment('T-0001', '2025-03-10')] },
      good: {
        last_statement_closing_date: '2025-04-30',
        historical_statement_transactions: [payment('T-0001', '2025-03-10')],
      },
    },
    related: ['historical_statement_transaction_after_last_statement_closing_date'],
  },
  current_statement_transaction_before_last_statement_closing_date: {
    means:
      'A current transaction is dated on or before the closing date of the last statement, so it belongs to the history.',
    causes: [
      'The value date was exported, while statements are cut by booking date.',
      'The lists were filled by another day than the closing date.',
    ],
    fix: [
      'Move the transaction to historical_statement_transactions.',
      'Or send the date by which statements are cut.',
    ],
    at: ['ledgers.N.current_statement_transactions.N.transaction_date'],
    example: {
      in: ledgerPath,
      bad: {
        last_statement_closing_date: '2025-04-30',
        current_statement_transactions: [payment('T-0004', '2025-04-30')],
      },
      good: {
        last_statement_closing_date: '2025-04-30',
        current_statement_transactions: [payment('T-0004', '2025-05-02')],
      },
    },
    related: ['historical_statement_transaction_after_last_statement_closing_date'],
  },
  historical_statement_transaction_after_last_statement_closing_date: {
    means:
      'A historical transaction is dated after the closing date of the last statement, so it belongs to the current ones.',
    causes: ['The closing date is older than the export of transactions.'],
    fix: ['Move the transaction to current_statement_transactions.', 'Or correct the closing date.'],
    at: ['ledgers.N.historical_statement_transactions.N.transaction_date'],
    example: {
      in: ledgerPath,
      bad: {
        last_statement_closing_date: '2025-04-30',
        historical_statement_transactions: [payment('T-0001', '2025-05-02')],
      },
      good: {
        last_statement_closing_date: '2025-04-30',
        historical_statement_transactions: [payment('T-0001', '2025-04-30')],
      },
    },
    related: ['current_statement_transaction_before_last_statement_closing_date'],
  },
} satisfies Guides
