import test from 'ava'
import { accountPayload, E, Findings, readField } from '@account-import/core/adapter-kit'
import { check, FAILED, payloadLocation, struct, optional, key } from '@account-import/core/testing'
import { accountWith, contextWith, find, findInAccount } from './support.js'

test('entries come in document order: the tables, unknown fields after, items by index, objects first', (t) => {
  const { errors, warnings } = find(accountPayload, {
    zeta: 1,
    customers: [
      null,
      { mobile: 1, given_name: 2, beta: 0, Alpha: 0 },
      { user_details: [{ value: null }, 'x'], account_roles: {} },
    ],
    references: {},
    communication_preference: 'POST',
    supply_addresses: [{ supply_points: 1 }],
    Beta: 1,
    account_type: null,
    external_account_number: ' ',
  })
  t.deepEqual(errors, [
    'import_supplier required',
    'external_account_number blank',
    'account_type null',
    'customers.0 null',
    'customers.1.given_name invalid',
    'customers.1.mobile invalid',
    'customers.2.account_roles not_a_list',
    'customers.2.user_details.0.namespace required',
    'customers.2.user_details.0.value null',
    'customers.2.user_details.1 not_a_dict',
    'supply_addresses.0.supply_address required',
    'supply_addresses.0.customer_at_supply_address_from_date required',
    'supply_addresses.0.supply_points not_a_list',
    'references not_a_list',
    'communication_preference invalid_choice',
  ])
  t.deepEqual(warnings, [
    'customers.1.Alpha unknown_field',
    'customers.1.beta unknown_field',
    'Beta unknown_field',
    'zeta unknown_field',
  ])
})

test('the eleventh item comes after the third, and codes of one path are in alphabetical order', (t) => {
  const customers = Array.from({ length: 12 }, (_, index) => ([2, 10].includes(index) ? null : {}))
  const checked = check(accountPayload, accountWith({ customers }), contextWith(), [
    { path: ['customers', 2], code: 'required' },
    { path: ['customers', 2], code: 'blank' },
    { path: ['customers', 2], code: 'null' },
  ])
  t.true(E.isLeft(checked))
  const entries = E.isLeft(checked) ? checked.left.errors.map(({ attr, code }) => `${attr} ${code}`) : []
  t.deepEqual(entries, ['customers.2 blank', 'customers.2 null', 'customers.2 required', 'customers.10 null'])
})

test('entries from outside of the payload join in document order, as warnings where asked', (t) => {
  const checked = check(
    accountPayload,
    accountWith({ account_type: null, customers: [{ email: 'a' }] }),
    contextWith(),
    [
      { path: ['customers', 0, 'given_name'], code: 'required' },
      { path: ['import_supplier'], code: 'import_supplier_does_not_exist' },
      { path: ['external_account_number'], code: 'account_already_imported', asWarning: true },
      { path: [], code: 'document_check_not_possible' },
      { path: ['statements', 0, 'statement_path'], code: 'path_does_not_exist_in_file_store' },
    ],
  )
  t.true(E.isLeft(checked))
  if (!E.isLeft(checked)) return
  t.deepEqual(
    checked.left.errors.map(({ attr, code }) => `${attr} ${code}`),
    [
      'import_supplier import_supplier_does_not_exist',
      'account_type null',
      'customers.0.given_name required',
      'customers.0.email invalid',
    ],
  )
  t.deepEqual(
    checked.left.warnings.map(({ attr, code }) => `${attr} ${code}`),
    [' document_check_not_possible', 'external_account_number account_already_imported'],
  )
})

test('texts hold the limits of the rule and nothing of the payload', (t) => {
  const secret = 'SECRET-VALUE'
  const { details } = find(accountPayload, {
    import_supplier: secret.repeat(9),
    external_account_number: [secret],
    account_type: secret,
    [secret]: secret,
    supply_addresses: [{ supply_address: { country: secret } }],
    payment_schedules: [{ means: secret, start_date: '1800-01-01', amount: -1, day_of_month: 40 }],
    ledgers: [{ ledger_code: 'L', ledger_balance: 1.234, last_statement_balance: 12_345_678_901 }],
  })
  const detailAt = (attr: string): string | undefined => details.find((entry) => entry.attr === attr)?.detail
  t.is(detailAt('import_supplier'), 'Too long. At most 32 characters or items are allowed.')
  t.is(detailAt('payment_schedules.0.start_date'), 'Too small. The lowest allowed value is 1900-01-01.')
  t.is(detailAt('payment_schedules.0.amount'), 'Too small. The lowest allowed value is 0.')
  t.is(detailAt('payment_schedules.0.day_of_month'), 'Too large. The highest allowed value is 31.')
  t.is(
    detailAt('ledgers.0.ledger_balance'),
    'Too many decimals. At most 2 are allowed; round before sending.',
  )
  t.regex(detailAt('payment_schedules.0.means') ?? '', /DD, CARD, MANUAL, PAYMENT_SLIP/)
  t.regex(detailAt('ledgers.0.last_statement_balance') ?? '', /At most 10 /)
  for (const { detail } of details) t.false(detail.includes(secret) || /[{}]/.test(detail), detail)
})

test('an unknown field is dropped and named; one whose key cannot be shown is left to its object', (t) => {
  const customers = [
    JSON.parse('{"__proto__":{"email":"x"},"constructor":1,"given_name":"A","a b":1,"":2,"é":3}'),
  ]
  const { value, errors, warnings } = findInAccount({ customers })
  t.deepEqual(errors, [])
  t.deepEqual(warnings, [
    'customers.0 unknown_field',
    'customers.0.__proto__ unknown_field',
    'customers.0.constructor unknown_field',
  ])
  t.is(JSON.stringify(value?.customers), '[{"given_name":"A"}]')
  t.is(Object.getPrototypeOf(value?.customers?.[0]), Object.prototype)
})

test('only own fields are read', (t) => {
  class Inherited {
    get given_name(): string {
      return 'from the class'
    }
  }
  const made = Object.assign(Object.create({ family_name: 'inherited' }), { email: 'a@example.com' })
  const { value, errors } = findInAccount({ customers: [new Inherited(), made] })
  t.deepEqual(errors, [])
  t.is(JSON.stringify(value?.customers), '[{},{"email":"a@example.com"}]')
  t.deepEqual(find(accountPayload, Object.create(accountWith({}))).errors, [
    'import_supplier required',
    'external_account_number required',
  ])
})

test('the first thousand of each kind are reported, and one entry says that there were more', (t) => {
  const customers = (length: number) => Array.from({ length }, () => ({ given_name: 1, unknown: 1 }))
  const all = findInAccount({ customers: customers(1000) })
  t.deepEqual([all.errors.length, all.warnings.length], [1000, 1000])
  const cut = findInAccount({ customers: customers(9999), notes: [null] })
  t.is(cut.errors.length, 1001)
  t.is(cut.errors[999], 'customers.999.given_name invalid')
  t.is(cut.errors[1000], ' too_many_errors')
  t.is(cut.warnings[1000], ' too_many_warnings')
  t.regex(cut.details.at(-1)?.detail ?? '', /More than 1000 warnings/)
})

test('the first in document order are reported even if they are found last', (t) => {
  const keys = Array.from({ length: 60_000 }, (_, index) => `k${99_999 - index}`)
  const { warnings } = findInAccount(Object.fromEntries(keys.map((each) => [each, 1])))
  t.is(warnings.length, 1001)
  t.is(warnings[0], 'k40000 unknown_field')
  t.is(warnings[999], 'k40999 unknown_field')
})

test('a field that cannot be read is marked, not absent, in what rules over several fields see', (t) => {
  const codec = struct('x', { a: optional(key(1)), b: optional(key(1)), c: optional(key(1)) })
  const findings = new Findings(contextWith())
  t.deepEqual<unknown, unknown>(codec.read({ c: 'c', a: 1 }, payloadLocation(), findings), {
    a: FAILED,
    c: 'c',
  })
  t.false(findings.isClean)
})

test('a field is read out of an unknown payload only if it is own and without error', (t) => {
  t.is(readField(key(3), { code: 'abc', more: 1 }, 'code'), 'abc')
  for (const payload of [{}, { code: 'abcd' }, { code: null }, null, 'x', [], Object.create({ code: 'abc' })])
    t.is(readField(key(3), payload, 'code'), undefined)
})

test('a payload that is no object is one error at the payload itself', (t) => {
  for (const [payload, code] of [
    [null, 'null'],
    [[], 'not_a_dict'],
    ['{}', 'not_a_dict'],
    [undefined, 'not_a_dict'],
  ])
    t.deepEqual(find(accountPayload, payload).errors, [` ${String(code)}`])
})
