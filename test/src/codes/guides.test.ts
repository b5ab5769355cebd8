import { bundledMarkets } from '@account-import/core'
import { accountPayload, checkAccountPayload, E } from '@account-import/core/adapter-kit'
import { endpoints } from '@account-import/http-contract'
import { guidesOf, type ExchangeExample, type PayloadExample } from '@account-import/core/guides'
import test from 'ava'
import { contextWith } from '../validation/support.js'
import { exampleAccount } from './example-account.js'
import { fieldAt } from './field-at.js'
import { published } from '../support/published.js'

const guides = new Map(Object.entries(guidesOf(bundledMarkets)))

/** Codes that no account alone can show: they need a register, a store, a vendor, a created account or another request. */
const ofSurroundings = [
  'path_does_not_exist_in_file_store',
  'document_check_not_possible',
  'import_supplier_does_not_exist',
  'historical_statement_already_exists',
  'payment_vendor_not_registered',
  'card_number_not_allowed',
  'ledger_code_does_not_exist',
  'market_rules_not_available',
]

const codesOf = (example: PayloadExample, which: 'bad' | 'good'): readonly string[] => {
  const checked = checkAccountPayload(exampleAccount(example, which), contextWith(example.setting?.rules))
  const entries = E.isLeft(checked)
    ? [...checked.left.errors, ...checked.left.warnings]
    : checked.right.warnings
  return [...new Set(entries.map(({ code }) => code))].sort()
}

const isWhole = (code: string): boolean => published.get(code)?.where.includes('T') === true

const isPayload = (example: PayloadExample | ExchangeExample): example is PayloadExample => 'in' in example

for (const [code, { example }] of guides) {
  if (isPayload(example)) {
    test(`the good example of ${code} is accepted without a warning`, (t) => {
      t.deepEqual(codesOf(example, 'good'), [])
    })
    test(`the bad example of ${code} gets exactly this code`, (t) => {
      t.deepEqual(codesOf(example, 'bad'), [code, ...(example.also ?? [])].sort())
    })
  } else
    test(`the bad exchange of ${code} ends with it, the good one with success`, (t) => {
      const [, status = '', answered = ''] = /\n→ (\d{3}) (\w+)/.exec(example.bad) ?? example.bad.split('→')
      if (isWhole(code)) t.is(answered, code, status)
      else t.true(example.bad.includes(` ${code} `))
      t.regex(example.good, /\n→ 20[01]$/)
    })
}

test('only codes that take more than a payload are shown by requests', (t) => {
  const shown = [...guides].flatMap(([code, { example }]) => (isPayload(example) ? [] : [code]))
  const expected = [...published.keys()].filter((code) => isWhole(code) || ofSurroundings.includes(code))
  t.deepEqual(shown.sort(), expected.sort())
})

/** The addresses of the API, as patterns of whole paths. */
const addresses = [
  /^\/v1\/data-import\/(notes|transactions|historical-statements|payment-instruction)\/create\/$/,
  ...Object.values(endpoints).map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)),
]

test('requests in examples go to addresses of the API', (t) => {
  const asked = [...guides.values()].flatMap(({ example: { bad, good } }) => {
    return [bad, good].flatMap((text) =>
      typeof text === 'string'
        ? [...text.matchAll(/^(?:GET|POST|PUT) (\/[^ ?\n]*)/gm)].map(([, path = '']) => path)
        : [],
    )
  })
  t.true(asked.length > 50)
  for (const path of asked)
    t.true(
      addresses.some((address) => address.test(path)),
      path,
    )
})

test('every path in a guide is one of the payload, and every code of an entry says where it stands', (t) => {
  for (const [code, { at }] of guides) {
    for (const path of at) if (/^[a-z0-9_.N]+$/.test(path)) t.true(fieldAt(accountPayload, path), path)
    t.is(at.length > 0, published.get(code)?.where.some((place) => place !== 'T') === true, code)
  }
})

test('every guide says what, why and how in sentences, and leads to other codes', (t) => {
  for (const [code, { means, causes, fix, related }] of guides) {
    for (const text of [means, ...causes, ...fix]) t.regex(text, /^[A-Za-z].{15,}\.$/s, code)
    t.true(causes.length > 0 && fix.length > 0 && related.length > 0, code)
    t.false(related.includes(code), code)
    for (const other of related) t.true(published.has(other), `${code} leads to ${other}`)
  }
})

test('no two guides share their meaning', (t) => {
  t.is(new Set([...guides.values()].map(({ means }) => means)).size, guides.size)
})

test('every code of the service and of the bundled markets has a guide', (t) => {
  t.deepEqual([...guides.keys()].sort(), [...published.keys()].sort())
})
