import { builtInSettings, type FieldError, type LocalDate } from '@account-import/core'
import { E, transactionsRequest } from '@account-import/core/adapter-kit'
import { check, transactionsRequestRules } from '@account-import/core/testing'
import test from 'ava'
import { sample } from '../support/samples.js'
import { aTransaction, today } from './support/facts.js'

const inShort = ({ attr, code }: FieldError): string => `${attr} ${code}`

const validate = (transactions: unknown, others: object = {}, day: LocalDate = today) => {
  const payload = { import_supplier: 'S', external_account_number: 'A-1', transactions, ...others }
  const context = { settings: builtInSettings, defaultCountry: 'ES', today: day }
  const checked = check(transactionsRequest, payload, context, [], transactionsRequestRules)
  return {
    errors: E.isLeft(checked) ? checked.left.errors.map(inShort) : [],
    warnings: (E.isLeft(checked) ? checked.left : checked.right).warnings.map(inShort),
  }
}

const clean = { errors: [], warnings: [] }

test('the sample request has no errors and no warnings', (t) => {
  const { transactions, ...others } = sample('transactions.json')
  t.deepEqual(validate(transactions, others), clean)
})

test('an empty list, repeated ids and dates in the future are no failures', (t) => {
  t.deepEqual(validate([]), clean)
  t.deepEqual(validate([aTransaction('A'), aTransaction('A')]), clean)
  t.deepEqual(validate([aTransaction('A', { transaction_date: '2099-01-01' })]), clean)
})

test('the fields of the request, and of each transaction, are validated by the tables in one answer', (t) => {
  const { errors, warnings } = validate(
    [
      { ...aTransaction('A'), amount: 1.234, ledger_code: ' ' },
      { ...aTransaction('B'), type: 'OTHER', display_note: null, ledger_code: 'x'.repeat(129) },
      {},
    ],
    { import_supplier: 7, external_account_number: undefined, extra: 1 },
  )
  t.deepEqual(errors, [
    'import_supplier invalid',
    'external_account_number required',
    'transactions.0.amount max_decimal_places',
    'transactions.0.ledger_code blank',
    'transactions.1.type invalid_choice',
    'transactions.1.display_note null',
    'transactions.1.ledger_code max_length',
    'transactions.2.transaction_id required',
    'transactions.2.transaction_date required',
    'transactions.2.amount required',
    'transactions.2.type required',
  ])
  t.deepEqual(warnings, ['extra unknown_field'])
  t.deepEqual(validate(undefined).errors, ['transactions required'])
  t.deepEqual(validate({}).errors, ['transactions not_a_list'])
})

test('the rules over several fields of a transaction hold in the request too', (t) => {
  const { errors, warnings } = validate([
    aTransaction('A', { type: 'SUPPLY_CHARGE' }),
    aTransaction('B', { type: 'SUPPLY_CHARGE', product_code: 'P', line_items: [] }),
    { ...aTransaction('C'), reason: undefined },
    aTransaction('D', { type: 'PAYMENT', amount: 0 }),
    aTransaction('E', {
      amount: 5,
      line_items: [
        {
          start_date: '2025-02-01',
          end_date: '2025-01-31',
          number_of_units: 2,
          price_per_unit: 3,
          net_amount: 4,
          units: [1],
        },
      ],
    }),
  ])
  t.deepEqual(errors, [
    'transactions.0.product_code required',
    'transactions.0.line_items required',
    'transactions.1.line_items empty',
    'transactions.4.line_items.0.end_date start_date_later_than_end_date',
  ])
  t.deepEqual(warnings, [
    'transactions.2.reason transaction_reason_missing',
    'transactions.3.amount non_positive_payment_amount',
    'transactions.4.amount ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
    'transactions.4.line_items.0.net_amount incorrect_line_item_net_amount',
    'transactions.4.line_items.0.units line_item_units_must_be_two_values',
  ])
})
