import test from 'ava'
import { accountPayload } from '@account-import/core/adapter-kit'
import { accountWith, contextWith, find, findInAccount } from './support.js'
import { point, rules, withAgreement, withCustomer } from './account-rule-cases.js'

for (const { code, attr, fires, silent, isWarning = false } of rules) {
  test(`${code} fires at ${attr}, and only where the rule is broken`, (t) => {
    for (const fields of fires) {
      const { errors, warnings } = findInAccount(fields)
      t.deepEqual(
        [errors, warnings],
        isWarning ? [[], [`${attr} ${code}`]] : [[`${attr} ${code}`], []],
        JSON.stringify(fields),
      )
    }
    for (const fields of silent) {
      const { errors, warnings } = findInAccount(fields)
      t.deepEqual([errors, warnings], [[], []], JSON.stringify(fields))
    }
  })
  if (isWarning)
    test(`${code} at ${attr} can be raised to an error or switched off for a supplier`, (t) => {
      const [fields = {}] = fires
      const raised = findInAccount(fields, { severities: { [code]: 'error' } })
      t.deepEqual([raised.errors, raised.warnings], [[`${attr} ${code}`], []])
      const off = findInAccount(fields, { severities: { [code]: 'off' } })
      t.deepEqual([off.errors, off.warnings], [[], []])
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

test('six values are asked for and the items are validated all the same', (t) => {
  t.deepEqual(findInAccount(withAgreement({ contractual_max_power: [1, -1, null] })).errors, [
    `${point}.agreements.0.contractual_max_power contractual_max_power_needs_six_values`,
    `${point}.agreements.0.contractual_max_power.1 min_value`,
    `${point}.agreements.0.contractual_max_power.2 null`,
  ])
})

test('national phone numbers are read as of the default country of the service', (t) => {
  const fields = accountWith(withCustomer({ landline: '07700900123' }))
  t.deepEqual(find(accountPayload, fields, contextWith({}, 'GB')).errors, [])
  t.deepEqual(find(accountPayload, fields, contextWith({}, 'ES')).errors, [
    'customers.0.landline invalid_phone_number',
  ])
  t.deepEqual(find(accountPayload, fields, contextWith({}, 'ZZ')).errors, [
    'customers.0.landline invalid_phone_number',
  ])
})

test('addresses of the internal domains of the supplier, and below them, are reported', (t) => {
  const settings = { internalEmailDomains: ['Levante.example'] }
  for (const email of ['a@levante.example', 'a@mail.LEVANTE.example'])
    t.deepEqual(findInAccount(withCustomer({ email }), settings).warnings, [
      'customers.0.email internal_email_address',
    ])
  for (const email of ['a@notlevante.example', 'a@levante.example.org'])
    t.deepEqual(findInAccount(withCustomer({ email }), settings).warnings, [])
  t.deepEqual(findInAccount(withCustomer({ email: 'a@levante.example' })).warnings, [])
})

test('a list that the supplier closed refuses or reports other values, and no other list', (t) => {
  const fields = { sales_channel: 'DIRECT', customers: [{ account_roles: ['ACCOUNT_HOLDER', 'OTHER', ' '] }] }
  const closed = (severity: 'error' | 'warn') => ({
    closedLists: { account_roles: { members: ['ACCOUNT_HOLDER'], severity } },
  })
  const refused = findInAccount(fields, closed('error'))
  t.deepEqual(refused.errors, [
    'customers.0.account_roles.1 not_in_supplier_list',
    'customers.0.account_roles.2 blank',
  ])
  const reported = findInAccount({ customers: [{ account_roles: ['OTHER'] }] }, closed('warn'))
  t.deepEqual(
    [reported.errors, reported.warnings],
    [[], ['customers.0.account_roles.0 not_in_supplier_list']],
  )
})
