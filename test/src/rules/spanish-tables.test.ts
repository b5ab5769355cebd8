import { bundledMarkets } from '@account-import/core'
import { spanishMarket, spanishTables } from '@account-import/core/markets'
import test from 'ava'
import { agreement, at, point as pointAt, reading, statement, supplyPoint } from '../support/account-parts.js'
import { powered, supplied, validate, validateSpanish } from './support.js'

const { accessTariffs, distributors } = spanishTables

const tariffAt = `${pointAt}.atr_tariffs.0.value`
const outside = `${tariffAt} atr_tariff_outside_its_time`
const unknown = `${tariffAt} unknown_atr_tariff`

const warningsOf = (fields: object): readonly string[] => validateSpanish(fields).warnings

const held = (
  supply_type: string,
  days: readonly (readonly [string, string])[],
  point: object = {},
): object =>
  supplied({
    supply_type,
    identifier: supply_type === 'GAS' ? 'ES0234000098765432VB' : 'ES0021000012345678LB',
    atr_tariffs: days.map(([value, valid_from]) => ({ value, valid_from })),
    ...point,
  })

const other = { GAS: 'ELECTRICITY', ELECTRICITY: 'GAS' } as const
const namesOf = (type: string): ReadonlySet<string> =>
  new Set(accessTariffs.filter(({ supplyType }) => supplyType === type).flatMap(({ names }) => names))

/** The day before a day. */
const before = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

for (const { supplyType, names, from, until } of accessTariffs)
  test(`the access tariff ${names[0]} of ${supplyType} is known in all spellings, in its time alone`, (t) => {
    for (const name of names) {
      const next = ['2.0TD', 'RL.1'][supplyType === 'GAS' ? 1 : 0] ?? ''
      const on = (day: string, to?: string) =>
        warningsOf(held(supplyType, [[name, day], ...(to === undefined ? [] : [[next, to] as const])]))
      if (from !== undefined) {
        t.deepEqual(on(from), [], name)
        t.deepEqual(on(before(from)), [outside], name)
      }
      if (until !== undefined) {
        t.deepEqual(on('2010-01-01', until), [], name)
        t.deepEqual(on('2010-01-01', '2023-01-01'), [outside], name)
        t.deepEqual(on('2010-01-01'), [outside], name)
        t.deepEqual(on(until), [outside], name)
      }
      if (!namesOf(other[supplyType]).has(name))
        t.deepEqual(warningsOf(held(other[supplyType], [[name, '2024-01-01']])), [unknown], name)
    }
  })

test('no name has two rows, and the tables have the codes of the market', (t) => {
  for (const type of ['GAS', 'ELECTRICITY']) {
    const names = accessTariffs.filter(({ supplyType }) => supplyType === type).flatMap((row) => row.names)
    t.is(new Set(names).size, names.length, type)
  }
  const codes = Array.from({ length: 30 }, (_, code) => String(code).padStart(3, '0'))
  t.deepEqual(
    codes.filter((code) => !namesOf('ELECTRICITY').has(code)),
    ['000', '002', '009', '010'],
  )
})

test('the access tariff of a supply that ended in its time is right', (t) => {
  const ended = (effective_to: string) => [{ ...agreement('2018-01-01', effective_to) }]
  const old = [['2.0A', '2018-01-01']] as const
  t.deepEqual(warningsOf(held('ELECTRICITY', old, { agreements: ended('2021-06-01') })), [])
  t.deepEqual(warningsOf(held('ELECTRICITY', old, { agreements: ended('2021-06-02') })), [outside])
  t.deepEqual(warningsOf(held('ELECTRICITY', old, { agreements: [agreement('2018-01-01')] })), [outside])
})

/** A valid CUPS with these first digits. */
const cupsWith = (start: string): string => {
  const digits = start.padEnd(16, '0')
  const rest = Number(BigInt(digits) % 529n)
  const letters = 'TRWAGMYFPDXBNJZSQVHLCKE'
  return `ES${digits}${letters.charAt(Math.floor(rest / 23))}${letters.charAt(rest % 23)}`
}

const mismatch = `${pointAt}.distributor_ree_code distributor_ree_code_mismatch`

for (const { prefix, distributor: code } of distributors.regional)
  test(`the code ${code} is of the company of a CUPS with ${prefix}`, (t) => {
    const of = (distributor_ree_code: string) =>
      warningsOf(supplied({ identifier: cupsWith(prefix), distributor_ree_code }))
    t.deepEqual(of(code), [])
    t.deepEqual(of(prefix.slice(0, 4)), [])
    t.deepEqual(of('0999'), [mismatch])
  })

const wrongKind = `${pointAt}.supply_type distributor_of_other_supply_type`

test('a distributor of gas supplies no electricity, and one of electricity no gas', (t) => {
  const of = (supply_type: string, code: string) => [
    ...warningsOf(supplied({ supply_type, identifier: cupsWith(code) })),
    ...warningsOf(supplied({ supply_type, identifier: 'none', distributor_ree_code: code })).filter(
      (entry) => !entry.endsWith('invalid_supply_point_identifier'),
    ),
  ]
  const both = [wrongKind, wrongKind]
  for (const code of distributors.gas) {
    t.deepEqual(of('GAS', code), [], code)
    t.deepEqual(of('ELECTRICITY', code), distributors.both.includes(code) ? [] : both, code)
  }
  for (const code of ['0021', '0031', '0200', ...distributors.electricity]) {
    t.deepEqual(of('ELECTRICITY', code), [], code)
    t.deepEqual(of('GAS', code), both, code)
  }
  for (const code of ['0217', '0243', '1234'])
    for (const kind of ['GAS', 'ELECTRICITY']) t.deepEqual(of(kind, code), [])
})

test('an embedding program replaces a table', (t) => {
  const mine = spanishMarket({
    version: 'mine',
    accessTariffs: [{ supplyType: 'ELECTRICITY', names: ['9.9 TD'], from: '2030-01-01' }],
  })
  t.is(mine.version, 'mine')
  const of = (value: string, valid_from: string) =>
    validate(held('ELECTRICITY', [[value, valid_from]]), {}, [mine]).warnings
  t.deepEqual(of('9.9td', '2030-01-01'), [])
  t.deepEqual(of('9.9TD', '2029-12-31'), [outside])
  t.deepEqual(of('2.0TD', '2024-01-01'), [unknown])
  t.is(bundledMarkets[0]?.market, mine.market)
})

const six = (watts: number): readonly number[] => Array.from({ length: 6 }, () => watts)
const powerAt = `${pointAt}.agreements.0`

test('power of more than 0 and below 100 watts is reported once a list', (t) => {
  const of = (power: readonly number[]) => warningsOf(powered(power, []))
  const found = [`${powerAt}.contractual_max_power contractual_max_power_below_100_watts`]
  t.deepEqual(of(six(4)), found)
  t.deepEqual(of([4600, 4600, 99, 4600, 4600, 4600]), found)
  t.deepEqual(of([...six(1).slice(1), 0]), found)
  t.deepEqual(of(six(0)), [])
  t.deepEqual(of([...six(100).slice(1), 0]), [])
})

test('a yearly consumption above power × 8760 hours is reported', (t) => {
  const of = (annual_consumption: string, watts = 4600, point: object = {}) =>
    warningsOf(powered(six(watts), [], { annual_consumption }, point))
  const found = [`${powerAt}.annual_consumption consumption_over_contracted_power`]
  t.deepEqual(of('40296'), [])
  t.deepEqual(of('40296.000001'), found)
  t.deepEqual(of('3250500'), found)
  t.deepEqual(of('3250500', 0), [])
  t.deepEqual(of('3250500', 4600, { supply_type: 'GAS', identifier: 'ES0234000098765432VB' }), [])
  t.deepEqual(
    warningsOf(
      supplied({ agreements: [agreement('2024-01-01', undefined, { annual_consumption: '3250500' })] }),
    ),
    [],
  )
})

test('a reading above three times the greatest power × its hours is reported', (t) => {
  const of = (consumption_delta: string, from: string, to: string, fields: object = {}) =>
    warningsOf(
      powered(six(4600), [], {}, { readings: [reading(from, to, { consumption_delta })], ...fields }),
    )
  const found = [`${pointAt}.readings.0.consumption_delta consumption_over_contracted_power`]
  const hour = ['2025-03-30T00:00:00Z', '2025-03-30T01:00:00Z'] as const
  t.deepEqual(of('13.8', ...hour), [])
  t.deepEqual(of('13.800001', ...hour), found)
  t.deepEqual(of('189', ...hour), found)
  t.deepEqual(of('3.45', '2025-02-28T23:45:00Z', '2025-03-01T00:00:00Z'), [])
  t.deepEqual(of('3.450001', '2025-02-28T23:45:00Z', '2025-03-01T00:00:00Z'), found)
  t.deepEqual(of('9273.6', '2025-01-31T23:00:00Z', '2025-02-28T23:00:00Z'), [])
  t.deepEqual(of('9273.7', '2025-01-31T23:00:00Z', '2025-02-28T23:00:00Z'), found)
  t.deepEqual(of('120888', '2024-01-01T00:00:00Z', '2024-12-31T00:00:00Z'), [])
  t.deepEqual(of('189', hour[1], hour[0]), [])
  t.deepEqual(of('189', ...hour, { agreements: [agreement('2024-01-01')] }), [])
  t.deepEqual(of('189', ...hour, { supply_type: 'GAS', identifier: 'ES0234000098765432VB' }), [])
})

const billed = (...periods: readonly (readonly [string, string])[]): object => ({
  statements: periods.map(([bill_period_from_date, bill_period_to_date], nth) =>
    statement({ statement_id: String(nth), bill_period_from_date, bill_period_to_date }),
  ),
})

const exclusive = [
  ['2023-12-31', '2024-01-31'],
  ['2024-01-31', '2024-02-29'],
  ['2024-02-29', '2024-03-31'],
] as const

test('statements of which most begin on the last day of another are reported once', (t) => {
  const found = ['statements periods_share_days']
  t.deepEqual(warningsOf(billed(...exclusive)), found)
  t.deepEqual(warningsOf(billed(...exclusive.toReversed())), found)
  t.deepEqual(warningsOf(billed(...exclusive.slice(0, 2))), [])
  const days = [
    ['2024-05-01', '2024-05-31'],
    ['2024-06-01', '2024-06-30'],
  ] as const
  t.deepEqual(warningsOf(billed(...exclusive, days[0])), [])
  t.deepEqual(warningsOf(billed(...exclusive.slice(0, 2), ...days)), [])
  t.deepEqual(
    warningsOf(
      billed(['2024-01-01', '2024-01-31'], ['2024-02-01', '2024-02-29'], ['2024-03-01', '2024-03-31']),
    ),
    [],
  )
  t.deepEqual(
    warningsOf(billed(...['2024-01-01', '2024-01-01', '2024-01-01'].map((day) => [day, day] as const))),
    [],
  )
})

test('line items of one rate band of a ledger are compared as statements are', (t) => {
  const of = (bands: readonly (string | undefined)[]) => ({
    ledgers: [
      {
        ledger_code: 'L',
        current_statement_transactions: exclusive.map(([start_date, end_date], nth) => ({
          transaction_id: String(nth),
          transaction_date: '2024-05-01',
          amount: 1,
          type: 'CHARGE',
          reason: 'R',
          line_items: [{ start_date, end_date, number_of_units: 1, net_amount: 1, rate_band: bands[nth] }],
        })),
      },
    ],
  })
  t.deepEqual(warningsOf(of(['P1', 'P1', 'P1'])), ['ledgers.0 periods_share_days'])
  t.deepEqual(warningsOf(of(['P1', 'P2', 'P1'])), [])
  t.deepEqual(warningsOf(of([undefined, undefined, undefined])), [])
})

test('an end from 2900 on is reported at agreements and payment schedules, in any country', (t) => {
  const of = (end: string) => ({
    supply_addresses: [
      { ...at('PT'), supply_points: [supplyPoint({ agreements: [agreement('2024-01-01', end)] })] },
    ],
    payment_schedules: [
      {
        means: 'DD',
        start_date: '2024-01-01',
        end_date: end,
        amount: 1,
        frequency: 'MONTHLY',
        day_of_month: 1,
      },
    ],
  })
  const found = [
    `${powerAt}.effective_to end_date_means_no_end`,
    'payment_schedules.0.end_date end_date_means_no_end',
  ]
  for (const end of ['2900-01-01', '2999-12-31', '3000-01-01', '9999-12-31'])
    t.deepEqual(warningsOf(of(end)), found, end)
  for (const end of ['2099-12-31', '2899-12-31']) t.deepEqual(warningsOf(of(end)), [], end)
})
