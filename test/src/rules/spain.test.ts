import test from 'ava'
import { below, type MarketRule } from '@account-import/core/markets'
import { at, point as pointAt, supplyPoint } from '../support/account-parts.js'
import { detailed, powered, supplied, validate, validateSpanish } from './support.js'

const words = (text: string): readonly string[] => text.split(' ')

/** Spanish identifiers and codes, right and wrong, some of them at the edges of their rules. */
const cups = {
  right: [
    ...words('ES1234123456789012JY ES1234000000000001JN ES0021000012345678LB ES0021000012345678LB1F'),
    ...'es 0021 0000 1234 5678 lb|ES0234-0000-9876-5432-VB|\u00a0ES0021000012345678LB\ufeff'.split('|'),
    ...'FPRCXYZ'.split('').map((kind) => `ES0021000012345678LB9${kind}`),
  ],
  wrong: [
    ...words('ES1234123456789012XY ES0021000012345678LC ES0021000012345678 PT0021000012345678LB'),
    ...words('ES0021000012345678LB1A ES0021000012345678LBF1 ES0021000012345678LB1 ES00210000123456780LB'),
    ...words(
      'E\u017f0021000012345678LB ES\u0660\u0660\u0662\u0661000012345678LB ES.0021.0000.1234.5678.LB X',
    ),
  ],
}

const fiscalCodes = {
  right: [
    ...words('12345678Z 00000000T 54362315K 87654321X X1234567L x-1234567-l Y1234567X Z7654321H M1234567L'),
    ...words('K1234567L L1234567L A13585625 B64717838 J99216582 P2807900B P28079002 A1358562E ES12345678Z'),
    ...'es.12.345.678-z| B-64.717.838 '.split('|'),
  ],
  wrong: [
    ...words('54362315Z B64717839 X1234567T K1234567T 1234567L AB123456 ESES12345678Z PT12345678Z 12345678'),
    ...words('12345678ZZ I1234567A B6471783K E\u017f12345678Z \uff11\uff12345678Z 123456/78Z PAB123456'),
    ...words('X1234567LL K1234567LL B647178388 12345678ESZ'),
    ...words('12345678Z X1234567L K1234567L B64717838').map((right) => right.repeat(2)),
  ],
}

const atrTariffs = {
  ELECTRICITY: {
    right: [...words('018 029 2.0TD 6.4TD 6.2TDVE 2T 3v'), '2.0 td', '3.0TDVE - Embarcaciones'],
    wrong: words('2.0 RL.2 000 002 009 010 030 18 6.4TDVE 6.6 2.0-TD R3'),
  },
  GAS: {
    right: words('RL.2 RL2 R3 rl.11 RL1 R9 L0 L1 S8 A5 B7 RL01 RLTA5 RLPS8 99'),
    wrong: words('RL.12 2.0TD RL.0 R0 L2 S9 A4 B8 1.0 1.4 1.9 2.7 2.9 3.6 RL..2 \u017f1'),
  },
} as const

const postcodes = {
  right: words('01000 52999 46001 28080'),
  wrong: [...words('00000 00999 53000 4600 460011 99999 4600A \u0664\u0666001'), '46 001', ' 46001'],
}

const fourDigits = {
  right: words('0021 9820 0000'),
  wrong: [...words('21 00210 A021 982 00/1 \u0661\u0662\u0663\u0664'), '00 21', '9820 '],
}

const silent = { errors: [], warnings: [] }

type FieldCase = Readonly<{
  /** Where two have one code. */
  of?: string
  code: string
  attr: string
  with: (value: string) => object
  right: readonly string[]
  wrong: readonly string[]
}>

const tariff = (supply_type: 'ELECTRICITY' | 'GAS'): FieldCase => ({
  of: ` of ${supply_type}`,
  code: 'unknown_atr_tariff',
  attr: `${pointAt}.atr_tariffs.1.value`,
  with: (value) =>
    supplied({
      supply_type,
      atr_tariffs: [
        { value: supply_type === 'GAS' ? 'RL.1' : '2.0TD', valid_from: '2024-01-01' },
        { value, valid_from: '2024-02-01' },
      ],
    }),
  ...atrTariffs[supply_type],
})

const fieldCases: readonly FieldCase[] = [
  {
    code: 'invalid_supply_point_identifier',
    attr: `${pointAt}.identifier`,
    with: (identifier) => supplied({ identifier }),
    ...cups,
  },
  {
    code: 'invalid_fiscal_code',
    attr: 'customers.0.user_details.1.value',
    with: (value) => detailed(value),
    ...fiscalCodes,
  },
  tariff('ELECTRICITY'),
  tariff('GAS'),
  {
    code: 'invalid_postcode',
    attr: 'supply_addresses.0.supply_address.postal_code',
    with: (postal_code) => supplied({}, { postal_code }),
    right: [...postcodes.right, '', ' \u00a0'],
    wrong: postcodes.wrong,
  },
  {
    code: 'invalid_distributor_ree_code',
    attr: `${pointAt}.distributor_ree_code`,
    with: (distributor_ree_code) => supplied({ distributor_ree_code, identifier: 'none' }),
    right: [],
    wrong: fourDigits.wrong,
  },
  {
    code: 'invalid_cnae',
    attr: `${pointAt}.agreements.0.cnae`,
    with: (cnae) => supplied({ agreements: [{ tariff_code: 'T', effective_from: '2024-01-01', cnae }] }),
    ...fourDigits,
  },
]

const among = (entries: readonly string[], code: string): readonly string[] =>
  entries.filter((entry) => entry.endsWith(` ${code}`))

for (const { code, of = '', attr, with: fields, right, wrong } of fieldCases) {
  test(`${code}${of} at ${attr} accepts right values and refuses wrong ones`, (t) => {
    for (const value of right) {
      const { errors, warnings } = validateSpanish(fields(value))
      t.deepEqual([...errors, ...among(warnings, code)], [], value)
    }
    for (const value of wrong)
      t.deepEqual(among(validateSpanish(fields(value)).warnings, code), [`${attr} ${code}`], value)
  })
}

test('a distributor code is compared with that of a valid CUPS, in any spelling', (t) => {
  const mismatch = `${pointAt}.distributor_ree_code distributor_ree_code_mismatch`
  const of = (identifier: string, distributor_ree_code: string) =>
    validateSpanish(supplied({ identifier, distributor_ree_code })).warnings
  t.deepEqual(of('es 0021 0000 1234 5678 lb', '0021'), [])
  t.deepEqual(of('es 0021 0000 1234 5678 lb', '0022'), [mismatch])
  t.deepEqual(of('ES0021000012345678LC', '0022'), [`${pointAt}.identifier invalid_supply_point_identifier`])
  t.deepEqual(of('ES0021000012345678LB', '22'), [
    `${pointAt}.distributor_ree_code invalid_distributor_ree_code`,
  ])
})

const allWrong = {
  identifier: 'X',
  distributor_ree_code: '1',
  atr_tariffs: [{ value: 'no', valid_from: '2024-01-01' }],
  agreements: [{ tariff_code: 'T', effective_from: '2024-01-01', cnae: '1' }],
}

test('nothing is checked at addresses in other countries, or when no country can be read', (t) => {
  t.is(validateSpanish(supplied(allWrong, { postal_code: '1' })).warnings.length, 5)
  for (const country of ['PT', 'es', ' ', null, 1])
    t.deepEqual(validateSpanish(supplied(allWrong, { postal_code: '1', country })), silent)
  const [entry] = (supplied(allWrong) as { supply_addresses: readonly object[] }).supply_addresses
  for (const supply_address of [{}, undefined, null, 'ES'])
    t.deepEqual(validateSpanish({ supply_addresses: [{ ...entry, supply_address }] }), silent)
})

test('unreadable fields are not validated, and the fields beside them are', (t) => {
  const unreadable = {
    identifier: null,
    distributor_ree_code: ' ',
    supply_type: 'WATER',
    atr_tariffs: [{ value: 'no', valid_from: '2024-01-01' }, null, { value: 1 }],
    agreements: [null, { cnae: 7 }, { tariff_code: 'T', effective_from: '2024-01-01', cnae: '1' }],
  }
  t.deepEqual(validateSpanish(supplied(unreadable)).warnings, [`${pointAt}.agreements.2.cnae invalid_cnae`])
  for (const value of [null, ' ', 7, {}]) t.deepEqual(validateSpanish(detailed(value)).warnings, [])
  for (const namespace of ['FISCAL_CODE', 'fiscal_code ', null])
    t.deepEqual(validateSpanish(detailed('wrong', namespace)).warnings, [])
})

test('a supplier without the market Spain gets none of its findings', (t) => {
  t.deepEqual(validateSpanish({ ...supplied(allWrong), ...detailed('wrong') }, { markets: [] }), silent)
})

test('findings of the market are left out when the limits of errors and warnings are reached before them', (t) => {
  const detail = { namespace: 'fiscal_code', value: '1' }
  const customer = { account_roles: ['ACCOUNT_HOLDER'], user_details: [detail], given_name: 1 }
  const supply = supplied({ identifier: 'X' })
  t.is(validateSpanish({ customers: [customer], ...supply }).warnings.length, 2)
  const many = validateSpanish({ customers: Array.from({ length: 1500 }, () => customer), ...supply })
  t.is(many.warnings.length, 1000)
  t.true(many.warnings.every((entry) => entry.endsWith('value invalid_fiscal_code')))
})

const powerAt = `${pointAt}.agreements.0.contractual_max_power`
const over = `${powerAt} contractual_max_power_over_tariff_limit`
const falling = `${powerAt} contractual_max_power_not_ascending`

const six = (watts: number): readonly number[] => Array.from({ length: 6 }, () => watts)
const since2024 = (value: string) => [[value, '2024-01-01']] as const

test('under 2.0TD each period has at most 15 000 watts', (t) => {
  for (const tariff of ['2.0TD', ' 2.0 td', '018']) {
    t.deepEqual(validateSpanish(powered(six(15_000), since2024(tariff))).warnings, [])
    t.deepEqual(validateSpanish(powered([...six(100).slice(1), 15_001], since2024(tariff))).warnings, [over])
  }
  t.deepEqual(validateSpanish(powered([300, 200, 100, 300, 200, 100], since2024('2.0TD'))).warnings, [])
})

test('under 3.0TD and 6.1TD to 6.4TD no period has less power than the one before', (t) => {
  for (const tariff of '3.0TD 6.1TD 6.2TD 6.3TD 6.4TD 019 020 021 022 023'.split(' ')) {
    t.deepEqual(validateSpanish(powered([100, 100, 200, 300, 300, 99_000], since2024(tariff))).warnings, [])
    t.deepEqual(validateSpanish(powered([100, 200, 300, 400, 600, 500], since2024(tariff))).warnings, [
      falling,
    ])
    t.deepEqual(validateSpanish(powered([600, 500, 400, 300, 200, 100], since2024(tariff))).warnings, [
      falling,
    ])
  }
})

test('other access tariffs have no rule', (t) => {
  for (const tariff of '3.0TDVE 6.1TDVE 2.0A 3.1A 017 024'.split(' '))
    t.deepEqual(
      among(
        validateSpanish(powered([99_000, 500, 400, 300, 200, 100], since2024(tariff))).warnings,
        'contractual_max_power_not_ascending',
      ),
      [],
    )
})

test('the access tariff in force is that with the latest first day not after the agreement begins', (t) => {
  const big = six(20_000)
  const on = (effective_from: string, tariffs: Parameters<typeof powered>[1]) =>
    validateSpanish(powered(big, tariffs, { effective_from })).warnings
  const changed = [
    ['2.0TD', '2024-01-01'],
    ['3.0TD', '2025-01-01'],
    ['6.1TD', '2023-01-01'],
  ] as const
  for (const day of ['2022-12-31', '2023-01-01', '2025-01-01']) t.deepEqual(on(day, changed), [], day)
  for (const day of ['2024-01-01', '2024-12-31']) t.deepEqual(on(day, changed), [over], day)
  t.deepEqual(on('2024-06-01', []), [])
  const twice = [
    ['2.0TD', '2024-01-01'],
    ['3.0TD', '2024-01-01'],
  ] as const
  t.deepEqual(on('2024-01-01', twice), [over])
  t.deepEqual(on('2024-01-01', [twice[1], twice[0]]), [])
})

test('without six readable values, a readable day and all access tariffs readable, power is not checked', (t) => {
  const big = six(20_000)
  const unchecked: readonly object[] = [
    powered([20_000], since2024('2.0TD')),
    powered([...big, 20_000], since2024('2.0TD')),
    powered([...big.slice(1), null], since2024('2.0TD')),
    powered([...big.slice(1), 1.5], since2024('2.0TD')),
    powered('20000', since2024('2.0TD')),
    powered(big, since2024('2.0TD'), { effective_from: '2024-6-1' }),
    powered(big, [...since2024('2.0TD'), [' ', '2023-01-01']]),
    powered(big, [...since2024('2.0TD'), ['2.0TD', '2023-02-29']]),
    powered(big, [...since2024('2.0TD'), ['2.0TD', undefined]]),
    powered(big, [], {}, { atr_tariffs: [{ value: '2.0TD', valid_from: '2024-01-01' }, null] }),
    powered(big, [], {}, { atr_tariffs: {} }),
    powered(big, since2024('2.0TD'), {}, { supply_type: 'WATER' }),
  ]
  for (const fields of unchecked) t.deepEqual(validateSpanish(fields).warnings, [], JSON.stringify(fields))
  const gas = powered(big, since2024('018'), {}, { supply_type: 'GAS' })
  t.deepEqual(among(validateSpanish(gas).warnings, 'unknown_atr_tariff'), [
    `${pointAt}.atr_tariffs.0.value unknown_atr_tariff`,
  ])
})

const changeable: readonly (readonly [code: string, attr: string, fields: object])[] = [
  ...fieldCases.map(
    ({ code, attr, with: fields, wrong: [value = ''] }) => [code, attr, fields(value)] as const,
  ),
  [
    'distributor_ree_code_mismatch',
    `${pointAt}.distributor_ree_code`,
    supplied({ distributor_ree_code: '0022' }),
  ],
  ['contractual_max_power_over_tariff_limit', powerAt, powered(six(20_000), since2024('2.0TD'))],
  ['contractual_max_power_not_ascending', powerAt, powered([2, 1, 1, 1, 1, 1], since2024('019'))],
]

test('each Spanish code can be raised to an error or switched off for a supplier', (t) => {
  for (const [code, attr, fields] of changeable) {
    const raised = validateSpanish(fields, { severities: { [code]: 'error' } })
    t.deepEqual(among(raised.errors, code), [`${attr} ${code}`])
    t.deepEqual(among(raised.warnings, code), [], code)
    const off = validateSpanish(fields, { severities: { [code]: 'off' } })
    t.deepEqual(among([...off.errors, ...off.warnings], code), [], code)
  }
})

test('thousands of agreements under thousands of access tariffs are not validated pair by pair', (t) => {
  const day = (index: number): string => new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10)
  const atr_tariffs = Array.from({ length: 5000 }, (_, index) => ({
    value: '2.0TD',
    valid_from: day(4999 - index),
  }))
  const agreements = Array.from({ length: 5000 }, (_, index) => ({
    tariff_code: 'T',
    effective_from: day(index),
    contractual_max_power: six(15_001),
  }))
  const fields = powered([], [], {}, { atr_tariffs, agreements })
  const begin = performance.now()
  const found = validateSpanish(fields, { severities: { atr_tariff_outside_its_time: 'off' } })
  t.is(found.warnings.filter((entry) => entry.endsWith('over_tariff_limit')).length, 500)
  t.true(performance.now() - begin < 10_000, `${performance.now() - begin} ms`)
})

const cupsCode = 'invalid_supply_point_identifier'

/** An account with faults of the market before and after an address that it leaves alone, with more than are reported. */
const accountAround = (fault: object) => {
  const pointOf = (identifier: string) => supplyPoint({ identifier, agreements: undefined, ...fault })
  const many = Array.from({ length: 5000 }, (_, index) => pointOf(`N-${index}`))
  const supply_addresses = [
    { ...at('ES'), supply_points: [supplyPoint({ identifier: 'before' })] },
    { ...at('PT'), supply_points: many },
    { ...at('ES'), supply_points: [supplyPoint({ identifier: 'after' })] },
  ]
  return { supply_addresses }
}

const severities = { supply_point_with_no_agreement: 'off' } as const

/** Where the market finds fault in it, and of which severity there were more. */
const around = (fault: object, severity: 'error' | 'warn') => {
  const { errors, warnings } = validate(accountAround(fault), {
    severities: { ...severities, [cupsCode]: severity },
  })
  const found = [...errors, ...warnings].flatMap((entry) => entry.split(` ${cupsCode}`, 2).slice(0, -1))
  return { at: found, isCut: [errors.length === 1001, warnings.length === 1001] }
}

const firstPoint = 'supply_addresses.0.supply_points.0.identifier'
const lastPoint = 'supply_addresses.2.supply_points.0.identifier'

const error = { supply_type: 'NONE' }
const warning = { unknown: 1 }

test('a market reports nothing after a thousand errors and a thousand warnings, and its last findings before', (t) => {
  const both = { ...error, ...warning }
  for (const severity of ['error', 'warn'] as const)
    t.deepEqual(around(both, severity), { at: [firstPoint], isCut: [true, true] }, severity)
})

test('a market is told which findings are beyond a thousand errors and a thousand warnings', (t) => {
  const pastOf = (fault: object) => {
    const past: boolean[] = []
    const rule: MarketRule = (_, findings) => {
      const at = below(undefined, 'supply_addresses')
      past.push(...[0, 2].map((index) => findings.isPast(below(at, index))))
    }
    validate(accountAround(fault), { markets: ['XX'], severities }, [
      { market: 'XX', codes: {}, rules: [rule] },
    ])
    return past
  }
  t.deepEqual(pastOf({ ...error, ...warning }), [false, true])
  t.deepEqual(
    [pastOf(error), pastOf(warning)],
    [
      [false, false],
      [false, false],
    ],
  )
})

test('a market still reports warnings after a thousand errors, and errors after a thousand warnings', (t) => {
  t.deepEqual(around(error, 'warn'), { at: [firstPoint, lastPoint], isCut: [true, false] })
  t.deepEqual(around(error, 'error'), { at: [firstPoint], isCut: [true, false] })
  t.deepEqual(around(warning, 'error'), { at: [firstPoint, lastPoint], isCut: [false, true] })
  t.deepEqual(around(warning, 'warn'), { at: [firstPoint], isCut: [false, true] })
})
