import test from 'ava'
import { accountPayload, processRequest } from '@account-import/core/adapter-kit'
import { check, echoAccount } from '@account-import/core/testing'
import { published } from '../support/published.js'
import { accountWith, contextWith, find, findInAccount, sample } from './support.js'

for (const name of ['gas-account.json', 'electricity-account.json'])
  test(`${name} is accepted without error or warning, and as it was sent`, (t) => {
    const sent = sample(name)
    const { errors, warnings, value } = find(accountPayload, sent)
    t.deepEqual([errors, warnings], [[], []])
    t.deepEqual<unknown, unknown>(value, sample(name))
    t.deepEqual(sent, sample(name), 'the input was changed')
  })

test('the order of keys changes neither the value nor the report', (t) => {
  const backwards = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(backwards)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, inner]) => [key, key === 'value' ? inner : backwards(inner)]),
    )
  }
  for (const name of ['gas-account.json', 'invalid-account.json']) {
    const straight = check(accountPayload, sample(name), contextWith())
    t.is(
      JSON.stringify(check(accountPayload, backwards(sample(name)), contextWith())),
      JSON.stringify(straight),
    )
  }
})

test('an accepted account has its fields in table order, whatever order they came in', (t) => {
  const { value } = findInAccount({
    unknown_occupier: true,
    notes: [{ is_pinned: true, body: 'b' }],
    account_type: 'SYSTEM',
    metadata: [{ value: { z: 1, a: [{ y: null, b: 2 }] }, key: 'k' }],
  })
  t.is(
    JSON.stringify(value),
    '{"import_supplier":"LEVANTE","external_account_number":"A-1","account_type":"SYSTEM",' +
      '"notes":[{"body":"b","is_pinned":true}],' +
      '"metadata":[{"key":"k","value":{"z":1,"a":[{"y":null,"b":2}]}}],"unknown_occupier":true}',
  )
})

test('the echo differs from the account in the amounts of transactions alone, which have two places', (t) => {
  const transaction = { transaction_id: 'T', transaction_date: '2025-01-01', type: 'CREDIT' }
  const ledger = {
    ledger_code: 'L',
    last_statement_balance: 1.5,
    current_statement_transactions: [
      { ...transaction, amount: 10 },
      { ...transaction, amount: '-0.50' },
    ],
    historical_statement_transactions: [{ ...transaction, amount: 1234567890.1 }],
  }
  const { value } = findInAccount({ ledgers: [ledger, { ledger_code: 'M' }], unknown_occupier: true })
  t.truthy(value)
  const echo = value && echoAccount(value)
  const amounts = JSON.stringify(echo).match(/"amount":[^,}]*/g)
  t.deepEqual(amounts, ['"amount":"10.00"', '"amount":"-0.50"', '"amount":"1234567890.10"'])
  t.deepEqual(JSON.parse(JSON.stringify(echo).replace(/"amount":"[^"]*"/g, '"amount":0')), {
    ...accountWith({}),
    ...JSON.parse(
      JSON.stringify({ ledgers: [ledger, { ledger_code: 'M' }] }).replace(
        /"amount":("[^"]*"|[^,}]*)/g,
        '"amount":0',
      ),
    ),
    unknown_occupier: true,
  })
  t.is(echo && Object.keys(echo).join(), value && Object.keys(value).join())
})

test('a process request is read by its table', (t) => {
  const request = {
    external_account_number: 'A-1',
    import_supplier_code: 'LEVANTE',
    operations_team_name: 'Migration team',
    dry_run: true,
  }
  t.deepEqual<unknown, unknown>(find(processRequest, request).value, request)
  t.deepEqual(find(processRequest, { ...request, dry_run: 'true', operations_team_name: ' ' }).errors, [
    'operations_team_name blank',
    'dry_run invalid',
  ])
  t.deepEqual(find(processRequest, {}).errors, [
    'external_account_number required',
    'import_supplier_code required',
    'operations_team_name required',
  ])
})

test('every code of the catalogue has a text for people and a place where it appears', (t) => {
  // 118 of every market and 9 of the Spanish one; a market that is added brings its own.
  t.true(published.size >= 127)
  for (const [code, { detail, where, changeable, severity }] of published) {
    t.regex(detail, /^[A-Z].*\.$/, code)
    t.true(where.length > 0 && (changeable || severity !== 'off'), code)
  }
})
