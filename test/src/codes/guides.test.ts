import { catalogue, detailOf, type ErrorCode, type RuleSettings } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { accountPayload, checkAccountPayload } from '@account-import/core/payloads'
import { endpoints } from '@account-import/http-contract'
import { codePages, type ExampleText } from '@account-import/cli/kit'
import test from 'ava'
import { type Part, partOf } from '../validation/every-codec.js'
import { contextWith } from '../validation/support.js'
import {
  agreement,
  at,
  billableItem,
  ledger,
  reading,
  statement,
  supplyPoint,
  transaction,
} from '../support/account-parts.js'
import { published } from '../support/published.js'
import { filesBelow } from '../support/repository.js'

/** The pages of docs/errors as the build has read them; it fails at a page of another shape. */
const guides = new Map(Object.entries(await codePages()))

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

/** The settings that the pages name as options of `supplier configure`. */
const settings: Readonly<Record<string, Partial<RuleSettings>>> = {
  '--internal-email-domain levante.example': { internalEmailDomains: ['levante.example'] },
  '--close-list sales_channel=DIRECT,TELESALES:error': {
    closedLists: { sales_channel: { members: ['DIRECT', 'TELESALES'], severity: 'error' } },
  },
}

/** Codes that a payload gets whenever it gets the code shown. */
const besides: Readonly<Record<string, readonly string[]>> = {
  last_billed_to_date_before_supply_start_date: ['no_agreement_covering_last_billed_to_date'],
  too_many_errors: ['invalid_phone_number'],
  too_many_warnings: ['unknown_field'],
}

type Json = Readonly<Record<string, unknown>>

/** The least that is accepted without a warning. */
const least = {
  import_supplier: 'LEVANTE',
  external_account_number: 'LEV-000789',
  customers: [{ account_roles: ['ACCOUNT_HOLDER'], family_name: 'Ferrer' }],
}

const point = supplyPoint({ identifier: 'ES0021000012345678LB', supply_type: 'ELECTRICITY' })

/** The fields that an item of each list needs; put there only where the place of an example leads through it. */
const items: Readonly<Record<string, Json>> = {
  customers: least.customers[0] ?? {},
  supply_addresses: { ...at('ES'), supply_points: [point] },
  supply_points: point,
  agreements: agreement(),
  readings: reading('2025-03-01T00:00:00Z', '2025-04-01T00:00:00Z'),
  billable_items: billableItem(),
  notes: { body: 'b' },
  ledgers: ledger(),
  current_statement_transactions: transaction({ type: 'CREDIT', reason: 'R' }),
  payment_schedules: { means: 'DD', start_date: '2024-01-01', trigger: 'BILL' },
  statements: statement(),
}

/** Each list of a fragment with its one item repeated this number of times. */
const repeat = (fragment: Json, times: number): Json =>
  Object.fromEntries(
    Object.entries(fragment).map(([name, value]) => [
      name,
      Array.isArray(value) ? Array.from({ length: times }, () => value[0] as unknown) : value,
    ]),
  )

/** An object with the fragment put into the object that the steps lead to. */
const put = (object: Json, steps: readonly string[], fragment: Json): Json => {
  const [list, index, ...rest] = steps
  if (list === undefined) return { ...object, ...fragment }
  const item = items[list]
  if (item === undefined || index !== '0') throw new Error(`No example can stand in ${list}.${index}`)
  return { ...object, [list]: [put(item, rest, fragment)] }
}

const isPayload = ({ place }: ExampleText): boolean => place !== ''

/** The whole account that an example speaks of. */
const exampleAccount = ({ place, ...example }: ExampleText, which: 'bad' | 'good'): Json => {
  const [object = '', times] = place.split(/; the item of the bad list stands there (\d+) times/)
  const fragment = JSON.parse(example[which]) as Json
  const steps = object === 'the payload' ? [] : object.split('.')
  return put(
    least,
    steps,
    which === 'bad' && times !== undefined ? repeat(fragment, Number(times)) : fragment,
  )
}

/** Most examples have no supply point, so the rule about that is on only for its own. */
const codesOf = (code: string, example: ExampleText, which: 'bad' | 'good'): readonly string[] => {
  const own = example.setting === undefined ? {} : settings[example.setting]
  const isOwn = code === 'account_without_supply_points'
  const context = contextWith(isOwn ? { severities: { [code]: 'warn' } } : own)
  const checked = checkAccountPayload(exampleAccount(example, which), context)
  const entries = E.isLeft(checked)
    ? [...checked.left.errors, ...checked.left.warnings]
    : checked.right.warnings
  return [...new Set(entries.map(({ code }) => code))].sort()
}

const isWhole = (code: string): boolean => published.get(code)?.where.includes('T') === true

for (const [code, { example }] of guides) {
  if (isPayload(example)) {
    test(`the good example of ${code} is accepted without a warning`, (t) => {
      t.deepEqual(codesOf(code, example, 'good'), [])
    })
    test(`the bad example of ${code} gets exactly this code`, (t) => {
      t.deepEqual(codesOf(code, example, 'bad'), [code, ...(besides[code] ?? [])].sort())
    })
  } else
    test(`the bad exchange of ${code} ends with this code, and the good one succeeds`, (t) => {
      const [, status = '', answered = ''] = /\n→ (\d{3}) (\w+)/.exec(example.bad) ?? example.bad.split('→')
      if (isWhole(code)) t.is(answered, code, status)
      else t.true(example.bad.includes(` ${code} `))
      t.regex(example.good, /\n→ 20[01]$/)
    })
}

test('only codes that need more than a payload have requests as examples', (t) => {
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
      [...text.matchAll(/^(?:GET|POST|PUT) (\/[^ ?\n]*)/gm)].map(([, path = '']) => path),
    )
  })
  t.true(asked.length > 50)
  for (const path of asked)
    t.true(
      addresses.some((address) => address.test(path)),
      path,
    )
})

/** Requests other than accounts have fields at these paths, and codecs of their own. */
const otherRequests =
  /^(limit|vendor|reference|import_supplier_code|transactions\.N\..+|statements\.N\.issued_date)$/

/** Whether a path, with N for an index, leads to a field of a payload or of another request. */
const isField = (path: string): boolean =>
  path.split('.').reduce<Part>(partOf, accountPayload) !== undefined || otherRequests.test(path)

test('every path in a guide is a path of the payload, and every finding in it names its place', (t) => {
  for (const [code, { at }] of guides) {
    for (const path of at) if (/^[a-z0-9_.N]+$/.test(path)) t.true(isField(path), path)
    t.is(at.length > 0, published.get(code)?.where.some((place) => place !== 'T') === true, code)
  }
})

test('every guide has sentences for meaning, causes and fix, and links to other codes', (t) => {
  for (const [code, { means, causes, fix, related }] of guides) {
    for (const text of [means, ...causes, ...fix]) t.regex(text, /^[A-Za-z].{15,}\.$/s, code)
    t.true(causes.length > 0 && fix.length > 0 && related.length > 0, code)
    t.false(related.includes(code), code)
    for (const other of related) t.true(published.has(other), `${code} leads to ${other}`)
  }
})

test('no two guides have the same meaning', (t) => {
  t.is(new Set([...guides.values()].map(({ means }) => means)).size, guides.size)
})

test('every code of the service and of the bundled markets has a page, and no other page exists', (t) => {
  const pages = [...published.keys()].map((code) => `docs/errors/${code}.md`)
  t.deepEqual([...filesBelow('docs/errors')].sort(), pages.sort())
  t.deepEqual([...guides.keys()].sort(), [...published.keys()].sort())
})

test('no text of a code shows a placeholder, whatever values are given for it', (t) => {
  for (const code of Object.keys(catalogue) as ErrorCode[])
    for (const limits of [undefined, {}, { max: 1 }, { max: 1, min: 2, allowed: 'A', form: 'a text' }])
      t.regex(detailOf(code, limits), /^[^{}]+\.$/, code)
  t.is(detailOf('max_length'), 'Too long.')
})

test('no sentence of a guide begins with What, Who or Of', (t) => {
  for (const [code, { means, causes, fix, at }] of guides)
    for (const text of [means, ...causes, ...fix, ...at])
      t.notRegex(text, /(?:^|[.:;] )(?:What|Who|Of)\b/, code)
})
