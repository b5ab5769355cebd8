import test from 'ava'
import type { FieldError } from '@account-import/core'
import { E } from '@account-import/core/fp'
import {
  accountPayload,
  checkAccountPayload,
  Findings,
  processRequest,
  readField,
} from '@account-import/core/payloads'
import { check, FAILED, key, optional, payloadLocation, struct } from '@account-import/core/testing'
import { published } from '../support/published.js'
import { point, withCustomers } from '../support/account-parts.js'
import { rules, withAgreement } from './account-rule-cases.js'
import { accountWith, contextWith, find, findInAccount } from './support.js'

for (const { code, attr, make, fires, silent, isWarning = false } of rules) {
  const entry = `${attr} ${code}`
  const found = (value: unknown, settings = {}) => {
    const { errors, warnings } = findInAccount(make(value as never), settings)
    return [errors, warnings]
  }
  test(`${code} fires at ${attr}, and only where the rule is broken`, (t) => {
    for (const value of fires)
      t.deepEqual(found(value), isWarning ? [[], [entry]] : [[entry], []], JSON.stringify(value))
    for (const value of silent) t.deepEqual(found(value), [[], []], JSON.stringify(value))
  })
  if (isWarning)
    test(`${code} at ${attr} can be raised to an error or switched off for a supplier`, (t) => {
      t.deepEqual(found(fires[0], { severities: { [code]: 'error' } }), [[entry], []])
      t.deepEqual(found(fires[0], { severities: { [code]: 'off' } }), [[], []])
    })
}

test('fixed rules cannot be changed by settings', (t) => {
  const severities = {
    required: 'off',
    contractual_max_power_needs_six_values: 'warn',
    too_many_warnings: 'off',
  } as const
  t.deepEqual(find(accountPayload, {}, contextWith({ severities })).errors, [
    'import_supplier required',
    'external_account_number required',
  ])
  t.deepEqual(findInAccount(withAgreement({ contractual_max_power: [] }), { severities }).errors, [
    `${point}.agreements.0.contractual_max_power contractual_max_power_needs_six_values`,
  ])
})

test('the rule of six values refuses another number, and the items are validated too', (t) => {
  t.deepEqual(findInAccount(withAgreement({ contractual_max_power: [1, -1, null] })).errors, [
    `${point}.agreements.0.contractual_max_power contractual_max_power_needs_six_values`,
    `${point}.agreements.0.contractual_max_power.1 min_value`,
    `${point}.agreements.0.contractual_max_power.2 null`,
  ])
})

test('national phone numbers are read as of the default country of the service', (t) => {
  const fields = accountWith(withCustomers({ landline: '07700900123' }))
  t.deepEqual(find(accountPayload, fields, contextWith({}, 'GB')).errors, [])
  t.deepEqual(find(accountPayload, fields, contextWith({}, 'ES')).errors, [
    'customers.0.landline invalid_phone_number',
  ])
  t.deepEqual(find(accountPayload, fields, contextWith({}, 'ZZ')).errors, [
    'customers.0.landline invalid_phone_number',
  ])
})

test('addresses of the internal domains of the supplier, and of their subdomains, are reported', (t) => {
  const settings = { internalEmailDomains: ['Levante.example'] }
  for (const email of ['a@levante.example', 'a@mail.LEVANTE.example'])
    t.deepEqual(findInAccount(withCustomers({ email }), settings).warnings, [
      'customers.0.email internal_email_address',
    ])
  for (const email of ['a@notlevante.example', 'a@levante.example.org'])
    t.deepEqual(findInAccount(withCustomers({ email }), settings).warnings, [])
  t.deepEqual(findInAccount(withCustomers({ email: 'a@levante.example' })).warnings, [])
})

test('a list that the supplier closed refuses or reports other values, in that field only', (t) => {
  const fields = { sales_channel: 'DIRECT', customers: [{ account_roles: ['ACCOUNT_HOLDER', 'OTHER', ' '] }] }
  const closed = (severity: 'error' | 'warn') => ({
    closedLists: { account_roles: { members: ['ACCOUNT_HOLDER'], severity } },
  })
  t.deepEqual(findInAccount(fields, closed('error')).errors, [
    'customers.0.account_roles.1 not_in_supplier_list',
    'customers.0.account_roles.2 blank',
  ])
  const reported = findInAccount({ customers: [{ account_roles: ['OTHER'] }] }, closed('warn'))
  t.deepEqual(
    [reported.errors, reported.warnings],
    [[], ['customers.0.account_roles.0 not_in_supplier_list']],
  )
})

test('findings are in document order: the tables, then unknown fields, items by index, objects first', (t) => {
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
  const entries = E.isLeft(checked) ? checked.left.errors.map(({ attr, code }) => `${attr} ${code}`) : []
  t.deepEqual(entries, ['customers.2 blank', 'customers.2 null', 'customers.2 required', 'customers.10 null'])
})

test('findings from outside the payload are in document order, as warnings when configured', (t) => {
  const payload = accountWith({ account_type: null, customers: [{ email: 'a' }] })
  const checked = check(accountPayload, payload, contextWith(), [
    { path: ['customers', 0, 'given_name'], code: 'required' },
    { path: ['import_supplier'], code: 'import_supplier_does_not_exist' },
    { path: ['external_account_number'], code: 'account_already_imported', asWarning: true },
    { path: [], code: 'document_check_not_possible' },
    { path: ['statements', 0, 'statement_path'], code: 'path_does_not_exist_in_file_store' },
  ])
  const { errors, warnings } = E.isLeft(checked) ? checked.left : { errors: [], warnings: [] }
  const inShort = ({ attr, code }: FieldError): string => `${attr} ${code}`
  t.deepEqual(errors.map(inShort), [
    'import_supplier import_supplier_does_not_exist',
    'account_type null',
    'customers.0.given_name required',
    'customers.0.email invalid',
  ])
  t.deepEqual(warnings.map(inShort), [
    ' document_check_not_possible',
    'external_account_number account_already_imported',
  ])
})

test('texts contain the limits of the rule and nothing of the payload', (t) => {
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
  for (const [attr, detail] of [
    ['import_supplier', 'Too long. At most 32 characters or items are allowed.'],
    ['payment_schedules.0.start_date', 'Too small. The lowest allowed value is 1900-01-01.'],
    ['payment_schedules.0.amount', 'Too small. The lowest allowed value is 0.'],
    ['payment_schedules.0.day_of_month', 'Too large. The highest allowed value is 31.'],
    ['ledgers.0.ledger_balance', 'Too many decimals. At most 2 are allowed; round before sending.'],
  ] as const)
    t.is(detailAt(attr), detail)
  t.regex(detailAt('payment_schedules.0.means') ?? '', /DD, CARD, MANUAL, PAYMENT_SLIP/)
  t.regex(detailAt('ledgers.0.last_statement_balance') ?? '', /At most 10 /)
  for (const { detail } of details) t.false(detail.includes(secret) || /[{}]/.test(detail), detail)
})

test('an unknown field is dropped and named, and one with a hidden key is reported at its object', (t) => {
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

test('the first thousand of each kind are reported, and one finding says that there were more', (t) => {
  const customers = (length: number) => Array.from({ length }, () => ({ given_name: 1, unknown: 1 }))
  const all = findInAccount({ customers: customers(1000) })
  t.deepEqual([all.errors.length, all.warnings.length], [1000, 1000])
  const cut = findInAccount({ customers: customers(9999), notes: [null] })
  t.deepEqual(cut.errors.slice(999), ['customers.999.given_name invalid', ' too_many_errors'])
  t.is(cut.warnings[1000], ' too_many_warnings')
  t.regex(cut.details.at(-1)?.detail ?? '', /More than 1000 warnings/)
})

test('an unreadable field is marked, not absent, for rules over several fields', (t) => {
  const codec = struct('x', { a: optional(key(1)), b: optional(key(1)), c: optional(key(1)) })
  const findings = new Findings(contextWith())
  t.deepEqual<unknown, unknown>(codec.read({ c: 'c', a: 1 }, payloadLocation(), findings), {
    a: FAILED,
    c: 'c',
  })
  t.false(findings.isClean)
})

test('a field of an unknown payload is read only if it is own and without error', (t) => {
  t.is(readField(key(3), { code: 'abc', more: 1 }, 'code'), 'abc')
  for (const payload of [{}, { code: 'abcd' }, { code: null }, null, 'x', [], Object.create({ code: 'abc' })])
    t.is(readField(key(3), payload, 'code'), undefined)
})

test('a payload that is not an object is one error at the payload itself', (t) => {
  for (const [payload, code] of [
    [null, 'null'],
    [[], 'not_a_dict'],
    ['{}', 'not_a_dict'],
    [undefined, 'not_a_dict'],
  ])
    t.deepEqual(find(accountPayload, payload).errors, [` ${String(code)}`])
})

test('a process request is validated by its table', (t) => {
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

test('every code of the catalogue has a text for people and occurs in the code', (t) => {
  // 118 for every market and 9 for the Spanish one; a further market adds its own.
  t.true(published.size >= 127)
  for (const [code, { detail, where, changeable, severity }] of published) {
    t.regex(detail, /^[A-Z].*\.$/, code)
    t.true(where.length > 0 && (changeable || severity !== 'off'), code)
  }
})

/** The findings of all checks of an account. */
const foundIn = (fields: object) => {
  const checked = checkAccountPayload(accountWith(fields), contextWith())
  const { errors, warnings } = E.isLeft(checked)
    ? checked.left
    : { errors: [], warnings: checked.right.warnings }
  const named = (findings: readonly FieldError[]) => findings.map(({ attr, code }) => `${attr} ${code}`)
  return { errors: named(errors), warnings: named(warnings), details: errors }
}

/** A metadata item with `count` values, itself included. */
const item = (key: string, count: number) => ({ key, value: { list: Array<number>(count - 4).fill(1) } })

/** Metadata that makes the account of `accountWith` one of `values` values. */
const metadataFor = (values: number) => {
  const others = valuesIn(accountWith({ metadata: [] }))
  const items = Array.from({ length: 10 }, (_, index) => item(`k${index}`, 9000))
  return [...items, item('last', values - others - 90_000)]
}

const valuesIn = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>((sum, each) => sum + 1 + valuesIn(each), 0)

test('an account may have 100,000 values, lists and objects included, and with one more gets only that error', (t) => {
  t.is(valuesIn(accountWith({ metadata: metadataFor(100_000) })), 100_000)
  t.deepEqual(foundIn({ unknown_occupier: true, metadata: metadataFor(99_999) }).errors, [])
  const { errors, warnings, details } = foundIn({ metadata: metadataFor(100_001), unknown: null })
  t.deepEqual([errors, warnings], [['metadata.10.value.list too_many_values'], []])
  t.regex(details[0]?.detail ?? '', /more than 100000 values/)
})

test('the longest list or object is named, the first of several, without a hidden key', (t) => {
  const pairs = Array.from({ length: 9000 }, () => [1, 2])
  const many = { a: pairs, b: pairs, c: pairs, d: pairs }
  t.deepEqual(foundIn({ metadata: [{ key: 'k', value: many }] }).errors, [
    'metadata.0.value.a too_many_values',
  ])
  const secret = { 'María Gil <m@example.com>': pairs, ...many }
  t.deepEqual(foundIn({ metadata: [{ key: 'k', value: secret }] }).errors, [
    'metadata.0.value too_many_values',
  ])
  const wide = Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`f${index}`, index]))
  t.deepEqual(foundIn({ other: { wide } }).errors, ['other.wide too_many_values'])
})

test('values of an object that contains itself are too many', (t) => {
  const endless: Record<string, unknown> = { one: 1 }
  endless['self'] = endless
  t.deepEqual(foundIn({ metadata: [{ key: 'k', value: endless }] }).errors.length, 1)
})
