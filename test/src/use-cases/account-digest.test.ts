import { type AccountDetails, instantOf } from '@account-import/core'
import { comparedText, figuresOf, figureSums, valuesByPath } from '@account-import/core/digests'
import { comparedPieces } from '@account-import/core/testing'
import { everyDetail } from '@account-import/core/contract-tests'
import test from 'ava'

const createdAt = instantOf(1000)

const details = (fields: Readonly<Record<string, unknown>>): AccountDetails =>
  ({
    ...everyDetail,
    ledgers: [],
    transactions_without_ledger: [],
    statements: [],
    notes: [],
    supply_addresses: [],
    ...fields,
  }) as AccountDetails

const ledger = (code: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  ledger_code: code,
  current_statement_transactions: [],
  historical_statement_transactions: [],
  ...fields,
})

test('figures count balances of ledgers that have one, and transactions of each list, in exact cents', (t) => {
  const found = figuresOf(
    details({
      ledgers: [
        ledger('A', {
          ledger_balance: '-0.05',
          current_statement_transactions: [{ type: 'CHARGE', amount: '0.10' }],
          historical_statement_transactions: [{ type: 'CHARGE', amount: '0.20' }],
        }),
        ledger('A', { ledger_balance: '0.04' }),
        ledger('B', { ledger_balance: '12.00' }),
        ledger('C'),
      ],
      transactions_without_ledger: [{ type: 'PAYMENT', amount: '-1000000.99' }],
      statements: [{}, {}],
      notes: [{}, {}, {}],
      supply_addresses: [{ supply_points: [{}, {}] }, { supply_points: [{}] }],
    }),
  )
  t.deepEqual(found, {
    balances: { A: { count: 2, sum: '-0.01' }, B: { count: 1, sum: '12.00' } },
    transactions: { CHARGE: { count: 2, sum: '0.30' }, PAYMENT: { count: 1, sum: '-1000000.99' } },
    statements: 2,
    notes: 3,
    supplyPoints: 3,
  })
})

test('figures of many accounts are added up by kind', (t) => {
  const sums = figureSums()
  const none = { balances: {}, transactions: {}, statements: 0, notes: 0, supplyPoints: 0 }
  t.deepEqual(sums.total(), none)
  sums.add({ ...none, balances: { A: { count: 2, sum: '-0.01' } }, statements: 1, notes: 2, supplyPoints: 3 })
  sums.add({ ...none, balances: { A: { count: 1, sum: '0.01' }, B: { count: 1, sum: '7.50' } } })
  sums.add({
    ...none,
    transactions: { A: { count: 3, sum: '-2.00' } },
    statements: 4,
    notes: 5,
    supplyPoints: 6,
  })
  t.deepEqual(sums.total(), {
    balances: { A: { count: 3, sum: '0.00' }, B: { count: 1, sum: '7.50' } },
    transactions: { A: { count: 3, sum: '-2.00' } },
    statements: 5,
    notes: 7,
    supplyPoints: 9,
  })
})

const note = (created_at: unknown, body = 'a') => ({ body, created_at, is_pinned: false, document_paths: [] })

const textOf = (fields: Readonly<Record<string, unknown>>, at = createdAt): string =>
  comparedText({ details: details(fields), createdAt: at })

test('accounts have one text for any order of keys, and the order of lists counts', (t) => {
  const [one, other] = [ledger('A'), ledger('B')]
  const turned = Object.fromEntries(Object.entries(one).toReversed())
  t.is(textOf({ ledgers: [one, other] }), textOf({ ledgers: [turned, other] }))
  t.not(textOf({ ledgers: [one, other] }), textOf({ ledgers: [other, one] }))
  t.is(textOf({ ledgers: [{ ...one, name: undefined }] }), textOf({ ledgers: [one] }))
})

test('the time of a note counts unless it is that of the account, and its other fields always', (t) => {
  const later = instantOf(2000)
  t.is(textOf({ notes: [note(createdAt)] }), textOf({ notes: [note(later)] }, later))
  t.not(textOf({ notes: [note(createdAt)] }), textOf({ notes: [note(later)] }))
  t.not(textOf({ notes: [note(later)] }), textOf({ notes: [note(later)] }, later))
  t.not(textOf({ notes: [note(createdAt)] }), textOf({ notes: [note(createdAt, 'b')] }))
})

test('values are found by their paths: texts, numbers and null, and empty lists and objects', (t) => {
  const free = {
    text: 'x',
    number: 1,
    none: null,
    list: [],
    object: {},
    left: undefined,
    deep: [{ a: true }],
  }
  const values = new Map(
    valuesByPath({ details: details({ metadata: [{ key: 'k', value: free }] }), createdAt }),
  )
  const found = [...values].filter(([path]) => path.startsWith('metadata.'))
  t.deepEqual(Object.fromEntries(found), {
    'metadata.0.key': '"k"',
    'metadata.0.value.text': '"x"',
    'metadata.0.value.number': '1',
    'metadata.0.value.none': 'null',
    'metadata.0.value.list': '[]',
    'metadata.0.value.object': '{}',
    'metadata.0.value.deep.0.a': 'true',
  })
  t.is(values.get('ledgers'), '[]')
  t.is(values.get('account_type'), JSON.stringify(everyDetail.account_type))
})

test('an account with over 20,000 values has a path for each list and object of the deepest level that leaves fewer', (t) => {
  const rows = Array.from({ length: 9000 }, (_, index) => ({ n: index, left: undefined, text: ['x', {}] }))
  const found = new Map(
    valuesByPath({ details: details({ metadata: [{ key: 'k', value: { rows } }] }), createdAt }),
  )
  t.true(found.size > 18_000 && found.size <= 20_000)
  t.is(found.get('metadata.0.value.rows.8999.n'), '8999')
  t.is(found.get('metadata.0.value.rows.8999.text'), '["x",{}]')
  t.is(found.get('metadata.0.key'), '"k"')
  const other = [{ key: 'k', value: { a: rows, b: rows.toReversed(), c: rows } }]
  const fewer = new Map(valuesByPath({ details: details({ metadata: other }), createdAt }))
  t.is(fewer.get('metadata.0.value.b')?.length, fewer.get('metadata.0.value.a')?.length)
  t.not(fewer.get('metadata.0.value.b'), fewer.get('metadata.0.value.a'))
  t.true(fewer.size < 1000)
})

test('the text of an account is generated in parts of some KiB', (t) => {
  const rows = Array.from({ length: 9000 }, (_, index) => ({ b: index, a: [null, true] }))
  const account = { details: details({ metadata: [{ key: 'k', value: { rows } }] }), createdAt }
  const pieces = [...comparedPieces(account)]
  t.true(pieces.length > 10 && pieces.every((piece) => piece.length < 17_000))
  t.deepEqual(JSON.parse(pieces.join('')), JSON.parse(JSON.stringify(account.details)))
  t.true(comparedText(account).includes('{"rows":[{"a":[null,true],"b":0},'))
})
