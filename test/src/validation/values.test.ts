import test from 'ava'
import { builtInSettings, type Instant } from '@account-import/core'
import { isTimeZone, today } from '@account-import/core/adapter-kit'
import { openLists, type Reader, settingsFaults } from '@account-import/core/payloads'
import {
  freeObject,
  holdsCardNumber,
  isCardNumber,
  maskCardNumbers,
  optional,
  struct,
} from '@account-import/core/testing'
import { jsonOf } from '@account-import/http-contract'
import {
  agreement,
  billableItem,
  line,
  transaction,
  withCustomers,
  withLedgers,
  withPoint,
} from '../support/account-parts.js'
import { codesOf, find, findInAccount } from './support.js'
import { typeCases } from './type-cases.js'

for (const [name, [codec, accepted, refused]] of Object.entries(typeCases)) {
  test(`${name}: a valid value is accepted and kept as sent`, (t) => {
    for (const value of accepted) {
      t.deepEqual(codesOf(codec, value), [], show(value))
      t.is<unknown, unknown>(readBack(codec, value), value, show(value))
    }
  })
  test(`${name}: the first failed check gives the only code`, (t) => {
    for (const [value, expected] of refused) t.deepEqual(codesOf(codec, value), [expected], show(value))
    t.deepEqual(find(struct('x', { it: optional(codec) }), {}).errors, [])
  })
}

test('a free object accepts any JSON, and is validated inside at the inner paths', (t) => {
  const holds = struct('x', { it: optional(freeObject) })
  const fine = { a: null, b: [1, 'x', { c: [[]] }, true], '': 0, 'a.b': '\u0001', d: 123_456_789.012_345 }
  t.is(find(holds, { it: fine }).value?.it, fine)
  t.deepEqual(codesOf(freeObject, null), ['null'])
  t.deepEqual(codesOf(freeObject, [1]), ['not_a_dict'])
  const broken = {
    z: 'a\0',
    a: ['x', '\ud800', [1e21, 1e-7], { deep: 0.1 + 0.2 }],
    m: 'x'.repeat(65_537),
    l: Array.from({ length: 10_001 }, () => '\0'),
    f: () => 0,
    n: NaN,
  }
  t.deepEqual(find(holds, { it: broken }).errors, [
    'it.a.1 surrogate_characters_not_allowed',
    'it.a.2.0 invalid',
    'it.a.2.1 invalid',
    'it.a.3.deep max_digits',
    'it.f invalid',
    'it.l max_length',
    'it.m max_length',
    'it.n invalid',
    'it.z null_characters_not_allowed',
  ])
})

test('a hidden key inside a free object leaves the findings at the object with it', (t) => {
  const holds = struct('x', { it: optional(freeObject) })
  const value = { ok: { 'a b': { deeper: ['\0', '\0'] }, 'a.b': 1e21, ['k'.repeat(65)]: '\ud800' }, é: 1e21 }
  t.deepEqual(find(holds, { it: value }).errors, [
    'it invalid',
    'it.ok invalid',
    'it.ok null_characters_not_allowed',
    'it.ok surrogate_characters_not_allowed',
  ])
})

test('an object that contains itself is refused, without endless descent', (t) => {
  const around: Record<string, unknown> = {}
  around['self'] = { list: [around, around] }
  t.deepEqual(
    codesOf(freeObject, around),
    ['self.list.0 invalid', 'self.list.1 invalid'].map((e) => `it.${e}`),
  )
})

const readBack = (codec: Reader<unknown>, value: unknown): unknown => {
  const { value: read } = find(struct('x', { it: optional(codec) }), { it: value })
  // An object with a field that is undefined is read as one without it, so it is no longer the same object.
  return value !== null && typeof value === 'object' && 'a' in value && value.a === undefined
    ? value
    : read?.it
}

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60)

/** Texts as they were sent, and as they are stored. */
const masked: readonly (readonly [sent: string, kept: string])[] = [
  ['4242424242424242', '••••••••••••4242'],
  ['pays by 4242 4242 4242 4242.', 'pays by •••• •••• •••• 4242.'],
  ['4242-4242-4242-4242', '••••-••••-••••-4242'],
  ['4242 - 4242 - 4242 - 4242', '•••• - •••• - •••• - 4242'],
  ['4242\u00a04242\u20114242\u22124242', '••••\u00a0••••\u2011••••\u22124242'],
  ['4242\u200b4242\u00ad42424242', '••••\u200b••••\u00ad••••4242'],
  ['４２４２４２４２４２４２４２４２', '••••••••••••４２４２'],
  ['Amex 3782 822463 10005', 'Amex •••• •••••• •0005'],
  ['13: 4222222222222', '13: •••••••••2222'],
  ['19: 6304000000000000000', '19: •••••••••••••••0000'],
  ['4242 4242 4242 4242 12/28 123', '•••• •••• •••• 4242 12/28 123'],
  ['tel 612 345 678 4242424242424242', 'tel 612 345 678 ••••••••••••4242'],
  ['4242424242424242 5555555555554444', '••••••••••••4242 ••••••••••••4444'],
  ['card4242424242424242', 'card••••••••••••4242'],
  ['4242/4242/4242/4242', '••••/••••/••••/4242'],
  ['4242.4242.4242.4242', '••••.••••.••••.4242'],
  ['4242_4242_4242_4242', '••••_••••_••••_4242'],
  ['4242, 4242, 4242, 4242', '••••, ••••, ••••, 4242'],
  ['4242\n4242\r\n4242\n4242', '••••\n••••\r\n••••\n4242'],
  ['4242    4242    4242    4242', '••••    ••••    ••••    4242'],
  ['4.2.4.2.4.2.4.2.4.2.4.2.4.2.4.2', '•.•.•.•.•.•.•.•.•.•.•.•.4.2.4.2'],
  ['Amex: 3782.822463.10005', 'Amex: ••••.••••••.•0005'],
  ['le 1.12.2024: 4242.4242.4242.4242', 'le 1.12.2024: ••••.••••.••••.4242'],
  ['٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', '•••• •••• •••• ٤٢٤٢'],
  ['𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐', '••••••••••••𝟒𝟐𝟒𝟐'],
  ['𝟺𝟸𝟺𝟸.४२४२.4242.４２４２', '••••.••••.••••.４２４２'],
  ['Señor: 🙂 4242424242424242 🙂', 'Señor: 🙂 ••••••••••••4242 🙂'],
]

test('all but the last four digits of card numbers are masked, in any grouping', (t) => {
  for (const [sent, kept] of masked) {
    t.is(maskCardNumbers(sent), kept)
    t.is(maskCardNumbers(kept), kept, 'a masked number is none')
    t.true(holdsCardNumber(sent), sent)
  }
})

const otherNumbers = [
  '4242424242424241',
  '424242424242',
  '42424242424242424242',
  '01/12/2024, 31/12/2024; 4.567,80 / 33.10',
  '30/11/2024 10:15:00 - 30/11/2024 10:15:06',
  '3.042,50; 3.119,75; 3.204,00; 3.306,25',
  'tel. +34 612 345 678, 2025-03-01',
  'CUPS ES0021000000000008AA',
  '424 242 424 2424_2424x2424',
  'IBAN ES91 2100 0418 4502 0005 1332',
  '',
]

test('other numbers stay unchanged', (t) => {
  for (const text of otherNumbers) {
    t.is(maskCardNumbers(text), text)
    t.false(isCardNumber(text) || holdsCardNumber(text), text)
  }
})

test('a reference is a card number only as a whole', (t) => {
  const spaced = ['4242424242424242', ' 4242 4242-4242 4242 ', '4242.4242/4242_4242']
  for (const text of [...spaced, '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', '３７８２８２２４６３１０００５'])
    t.true(isCardNumber(text), text)
  for (const text of ['pm_4242424242424242', '4242424242424242x', '4242424242424242 5555555555554444'])
    t.false(isCardNumber(text), text)
})

test('64 KiB of any text are searched quickly', (t) => {
  const parts = ['1', '1 ', '4242 ', '4 ', '4242.', '𝟒', '𝟒…', '4242424242424242 ', '123456789012 x', ' - ']
  for (const part of parts)
    t.is(maskCardNumbers(part.repeat(Math.floor(65_536 / part.length))).length > 0, true, part)
})

const encoder = new TextEncoder()

const faultOf = (text: string): string => {
  const read = jsonOf(encoder.encode(text))
  if (read._tag === 'Right') return 'none'
  return read.left._tag === 'NotJson' && read.left.at !== undefined
    ? `${read.left.at.line}:${read.left.at.column}`
    : read.left._tag
}

const places: readonly (readonly [text: string, place: string])[] = [
  ['', '1:1'],
  ['{', '1:2'],
  ['{"a": tru}', '1:7'],
  ['{"a": 1,}', '1:9'],
  ['{"a": 1 "b": 2}', '1:9'],
  ["{'a': 1}", '1:2'],
  ['{"a": 01}', '1:8'],
  ['[1, 2', '1:6'],
  ['[1, 2]]', '1:7'],
  ['{\n  "a": 1,\n  "b": nope\n}', '3:8'],
  ['{"a": "x\ny"}', '1:9'],
  [String.raw`{"a": "\x"}`, '1:8'],
  ['"never ends', '1:12'],
  ['NaN', '1:1'],
]

for (const [text, place] of places)
  test(`broken JSON has its fault at ${place}: ${JSON.stringify(text)}`, (t) => {
    t.is(faultOf(text), place)
  })

const repeated: readonly (readonly [text: string, place: string])[] = [
  ['{"a":1,"a":1}', '1:8'],
  ['{"notes":[{"body":"card 4111 1111 1111 1111","body":"x"}]}', '1:46'],
  ['{\n  "a": {"b": 1,\n  "b": 2}\n}', '3:3'],
  [String.raw`{"body":1,"\u0062ody":2}`, '1:11'],
  [String.raw`{"\/":1,"/":2}`, '1:9'],
  ['{"__proto__":1,"__proto__":2}', '1:16'],
  ['{"__proto__":{"x":1},"y":[{"constructor":{},"constructor":{}}]}', '1:45'],
  ['{"":1,"":2}', '1:7'],
  ['{"1":1,"1":2}', '1:8'],
  ['[[{"é":":","é":"{"}]]', '1:12'],
]

for (const [text, place] of repeated)
  test(`a repeated key of an object is a fault at ${place}: ${text}`, (t) => {
    const read = jsonOf(encoder.encode(text))
    t.is(faultOf(text), place)
    t.like(read, { left: { _tag: 'NotJson', at: { isRepeatedKey: true } } })
  })

test('a key may occur in several objects, and colons and braces in texts are no keys', (t) => {
  for (const text of [
    '[{"a":1},{"a":{"a":[{"a":2}]}}]',
    '{"__proto__":{"__proto__":1},"toString":2,"2":0,"1":0}',
    String.raw`{"a:":"b:\":{\"a\":1,\"a\":1}","a":"\\"}`,
    '{"é":1,"e\u0301":2}',
    '"a:b"',
  ])
    t.is(faultOf(text), 'none', text)
})

/** The path of the longest list or object, if the text has more than three values. */
const longestIn = (text: string): string => {
  const read = jsonOf(encoder.encode(text), 3)
  if (read._tag === 'Right') return 'few'
  return read.left._tag === 'TooManyValues' ? read.left.longest.join('.') : read.left._tag
}

const counted: readonly (readonly [text: string, longest: string])[] = [
  ['[1,"a,b:[{",true]', 'few'],
  ['[ [ ], { }, null ]', 'few'],
  ['{"a":{"b":[{}]}}', 'few'],
  ['[1,2,3,4]', ''],
  ['[[[[[]]]]]', ''],
  ['{"a":[1],"b":{"c\\u0061":[1,2,3]}}', 'b.ca'],
  ['{"a":[[1,2,3],[1,2,3]],"b":0}', 'a.0'],
  ['[0,{"a":{"x":1,"y":2,"z":3}}]', '1.a'],
  // Counted before it is parsed, up to the end of the first value.
  ['{"a":[1,2,3,4,nonsense', ''],
  ['{"a":1}\n{"a":[1,2,3,4]}', 'NotJson'],
  ['{"a":1},2,3,4,5', 'NotJson'],
  [`[1,2,3,${'['.repeat(40)}`, ''],
]

for (const [text, longest] of counted)
  test(`values are counted before a text is parsed, and the longest holder is named: ${text}`, (t) => {
    t.is(longestIn(text), longest)
  })

test('a text with too many values still names its account', (t) => {
  const names = (text: string) => {
    const read = jsonOf(encoder.encode(text), 3)
    return read._tag === 'Left' && 'names' in read.left ? read.left.names : undefined
  }
  const others = '"b":{"import_supplier":"other"},"c":[1,2,3,4]'
  t.deepEqual(names(`{"import_supplier":"S\\u00f1","x":"y",${others},"external_account_number":"N"}`), {
    import_supplier: 'Sñ',
    external_account_number: 'N',
  })
  t.deepEqual(names(`{"import_supplier":7,"external_account_number":"a\nb",${others}}`), {
    external_account_number: '',
  })
  t.deepEqual(names(`["import_supplier","external_account_number",{${others}}]`), {})
})

const json = String.raw`{"a":[1,-2.5e+3,true,false,null,"\u00e9\"\\/",{}],"b":{"c":"d"},"e":[] }`

test('a text has a place of a fault exactly when it is not JSON, for any changed or removed character', (t) => {
  const others = ['', '"', ',', '}', ']', '0', '\\', ' ', '\n', 'x']
  for (let at = 0; at < json.length; at += 1)
    for (const other of others) {
      const text = json.slice(0, at) + other + json.slice(at + 1)
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      t.is(faultOf(text) === 'none', isJson, text)
      t.not(faultOf(text), 'NotJson', text)
    }
})

const closed = { members: ['A'], severity: 'error' } as const

test('a closed list reaches its field, for every open list of the catalogue', (t) => {
  const fields = {
    ...withCustomers({ account_roles: ['B'], user_details: [{ namespace: 'B', value: 'v' }] }),
    ...withPoint({
      agreements: [agreement('2024-01-01', undefined, { tariff_code: 'B', atr_type: 'B' })],
      billable_items: [billableItem({ unit_type: 'B' })],
    }),
    ...withLedgers({
      ledger_code: 'B',
      current_statement_transactions: [
        transaction({
          reason: 'B',
          payment_type: 'B',
          product_code: 'B',
          line_items: [line({ rate_band: 'B' })],
          tax_items: [{ amount: 1, tax_type: 'B', value_taxed: 1, rate: 1, unit_type: 'B' }],
        }),
      ],
    }),
    sales_channel: 'B',
  }
  t.deepEqual(findInAccount(fields).errors, [])
  const reached = openLists.map((name) => {
    const { errors } = findInAccount(fields, { closedLists: { [name]: closed } })
    t.is(errors.length, 1, name)
    return errors[0]
  })
  t.is(new Set(reached).size, openLists.length)
  const all = findInAccount(fields, {
    closedLists: Object.fromEntries(openLists.map((name) => [name, closed])),
  })
  t.deepEqual([...all.errors].sort(), [...reached].sort())
})

test('today is the date in the time zone of the service, also when another day has begun there', (t) => {
  for (const [instant, zone, day] of [
    ['2025-06-30T21:59:59.999Z', 'Europe/Madrid', '2025-06-30'],
    ['2025-06-30T22:00:00.000Z', 'Europe/Madrid', '2025-07-01'],
    ['2025-12-31T22:59:59.999Z', 'Europe/Madrid', '2025-12-31'],
    ['2025-12-31T23:00:00.000Z', 'Europe/Madrid', '2026-01-01'],
    ['2025-01-01T00:00:00.000Z', 'Atlantic/Canary', '2025-01-01'],
    ['2025-01-01T00:00:00.000Z', 'America/New_York', '2024-12-31'],
  ] as const)
    t.is<string, string>(today(instant as Instant, zone), day)
  t.true(isTimeZone('Europe/Madrid'))
  t.false(isTimeZone('Europe/Nowhere'))
})

test('settings that can be saved have no faults', (t) => {
  const settings = {
    ...builtInSettings,
    severities: {
      unknown_field: 'error',
      path_does_not_exist_in_file_store: 'warn',
      gap_in_agreement_dates: 'off',
    },
    closedLists: { reason: { members: ['A', 'B'], severity: 'warn' } },
    internalEmailDomains: ['levante.example'],
    markets: [],
    documentRoot: 'levante/documents',
    emailLanguage: 'ca',
    retentionDays: 0,
  } as const
  t.deepEqual(settingsFaults(settings), [])
  t.deepEqual(settingsFaults(builtInSettings), [])
})

test('every fault of settings is found at once, at its path', (t) => {
  const faults = settingsFaults({
    ...builtInSettings,
    severities: { required: 'off', nonsense: 'warn' },
    closedLists: {
      vendor: { members: ['SANDBOX'], severity: 'warn' },
      reason: { members: [], severity: 'error' },
      rate_band: { members: [' '], severity: 'error' },
    },
    internalEmailDomains: ['not a domain'],
    markets: ['ES', 'XX'],
    documentRoot: '../elsewhere',
    emailLanguage: 'Català',
    retentionDays: -1,
  })
  t.deepEqual(
    faults.map(({ attr, code }) => `${attr} ${code}`),
    [
      'severities.nonsense invalid_choice',
      'severities.required invalid_choice',
      'closedLists.reason.members empty',
      'closedLists.rate_band.members.0 blank',
      'closedLists.vendor invalid_choice',
      'internalEmailDomains.0 invalid',
      'markets.1 invalid_choice',
      'documentRoot document_path_outside_root',
      'emailLanguage max_length',
      'retentionDays min_value',
    ],
  )
})
