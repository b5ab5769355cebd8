import test from 'ava'
import { addressCases } from './address-cases.js'
import { agreementCases } from './agreement-cases.js'
import { amountCases } from './amount-cases.js'
import { balanceCases } from './balance-cases.js'
import { dateCases } from './date-cases.js'
import { duplicateCases } from './duplicate-cases.js'
import { intervalCases } from './interval-cases.js'
import { noteCases } from './note-cases.js'
import { presenceCases } from './presence-cases.js'
import { textOf } from '../support/repository.js'
import { validate } from './support.js'

const all = [
  ...addressCases,
  ...agreementCases,
  ...amountCases,
  ...balanceCases,
  ...dateCases,
  ...duplicateCases,
  ...intervalCases,
  ...noteCases,
  ...presenceCases,
]

const sorted = (entries: readonly string[]): readonly string[] => [...entries].sort()

for (const { code, isWarning, fires, silent } of all) {
  const name = `${code} (${fires[0]?.[0]} …)`
  test(`${name} fires where it should, ${isWarning ? 'as a warning' : 'as an error'}, and at the right paths`, (t) => {
    for (const [why, fields, at, others = []] of fires) {
      const { errors, warnings } = validate(fields)
      const expected = [at].flat().map((path) => `${path} ${code}`)
      t.deepEqual(sorted([...errors, ...warnings]), sorted([...expected, ...others]), why)
      const severe = isWarning ? warnings : errors
      t.deepEqual(
        severe.filter((entry) => entry.endsWith(` ${code}`)),
        expected,
        why,
      )
    }
  })
  test(`${name} does not fire in other cases`, (t) => {
    for (const [why, fields, others = []] of silent) {
      const { errors, warnings } = validate(fields)
      t.deepEqual(sorted([...errors, ...warnings]), sorted(others), why)
    }
  })
  test(`${name} ${isWarning ? 'can be made an error or nothing' : 'cannot be changed'} by settings`, (t) => {
    const [, fields = {}, at = ''] = fires[0] ?? []
    const expected = [at].flat().map((path) => `${path} ${code}`)
    const ofCode = (entries: readonly string[]) => entries.filter((entry) => entry.endsWith(` ${code}`))
    const raised = validate(fields, { severities: { [code]: 'error' } })
    t.deepEqual([ofCode(raised.errors), ofCode(raised.warnings)], [expected, []])
    const off = validate(fields, { severities: { [code]: 'off' } })
    t.deepEqual([ofCode(off.errors), ofCode(off.warnings)], [isWarning ? [] : expected, []])
  })
}

test('the page of the rules over several fields names each of them', (t) => {
  const page = textOf('docs/reference/rules.md')
  const codes = new Set(all.map(({ code }) => code))
  t.deepEqual(
    [...codes].filter((code) => !page.includes(`\`${code}\``)),
    [],
  )
  t.is(new Set([...page.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code)).size, codes.size - 1)
})

test('what an object inherits is not validated', (t) => {
  class Customer {
    account_roles = ['ACCOUNT_HOLDER']
    get family_name(): string {
      return 'from the class'
    }
  }
  t.deepEqual(validate({ customers: [new Customer()] }).errors, [
    'customers.0.family_name customer_family_name_required',
  ])
})
