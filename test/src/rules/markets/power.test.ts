import test from 'ava'
import { validateSpanish, pointAt, powered } from './support.js'

const at = `${pointAt}.agreements.0.contractual_max_power`
const over = `${at} contractual_max_power_over_tariff_limit`
const falling = `${at} contractual_max_power_not_ascending`

const six = (watts: number): readonly number[] => Array.from({ length: 6 }, () => watts)
const since2024 = (value: string) => [[value, '2024-01-01']] as const

test('under 2.0TD each period has at most 15 000 watts', (t) => {
  for (const tariff of ['2.0TD', ' 2.0 td', '018']) {
    t.deepEqual(validateSpanish(powered(six(15_000), since2024(tariff))).warnings, [])
    t.deepEqual(validateSpanish(powered([...six(1).slice(1), 15_001], since2024(tariff))).warnings, [over])
  }
  t.deepEqual(validateSpanish(powered([3, 2, 1, 3, 2, 1], since2024('2.0TD'))).warnings, [])
})

test('under 3.0TD and 6.1TD to 6.4TD no period has less power than the one before', (t) => {
  for (const tariff of '3.0TD 6.1TD 6.2TD 6.3TD 6.4TD 019 020 021 022 023'.split(' ')) {
    t.deepEqual(validateSpanish(powered([1, 1, 2, 3, 3, 99_000], since2024(tariff))).warnings, [])
    t.deepEqual(validateSpanish(powered([1, 2, 3, 4, 6, 5], since2024(tariff))).warnings, [falling])
    t.deepEqual(validateSpanish(powered([6, 5, 4, 3, 2, 1], since2024(tariff))).warnings, [falling])
  }
})

test('other access tariffs ask for nothing', (t) => {
  for (const tariff of '3.0TDVE 6.1TDVE 2.0A 3.1A 017 024'.split(' '))
    t.deepEqual(validateSpanish(powered([99_000, 5, 4, 3, 2, 1], since2024(tariff))).warnings, [])
})

test('the access tariff in force is that with the latest first day not after the agreement begins', (t) => {
  const big = six(20_000)
  const on = (effective_from: string, tariffs: Parameters<typeof powered>[1]) =>
    validateSpanish(powered(big, tariffs, { effective_from })).warnings
  const changed = [
    ['3.0TD', '2025-01-01'],
    ['2.0TD', '2024-01-01'],
    ['6.1TD', '2023-01-01'],
  ] as const
  t.deepEqual(on('2022-12-31', changed), [])
  t.deepEqual(on('2023-01-01', changed), [])
  t.deepEqual(on('2024-01-01', changed), [over])
  t.deepEqual(on('2024-12-31', changed), [over])
  t.deepEqual(on('2025-01-01', changed), [])
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
  const silent: readonly object[] = [
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
  for (const fields of silent) t.deepEqual(validateSpanish(fields).warnings, [], JSON.stringify(fields))
  const gas = powered(big, since2024('018'), {}, { supply_type: 'GAS' })
  t.deepEqual(validateSpanish(gas).warnings, [`${pointAt}.atr_tariffs.0.value unknown_atr_tariff`])
})

test('both rules over power can be raised to errors or switched off for a supplier', (t) => {
  const cases = [
    ['contractual_max_power_over_tariff_limit', powered(six(20_000), since2024('2.0TD')), over],
    ['contractual_max_power_not_ascending', powered([2, 1, 1, 1, 1, 1], since2024('019')), falling],
  ] as const
  for (const [code, fields, entry] of cases) {
    t.deepEqual(validateSpanish(fields, { severities: { [code]: 'error' } }), {
      errors: [entry],
      warnings: [],
    })
    t.deepEqual(validateSpanish(fields, { severities: { [code]: 'off' } }), { errors: [], warnings: [] })
  }
})

test('thousands of agreements under thousands of access tariffs are not validated pair by pair', (t) => {
  const day = (index: number): string => new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10)
  const atr_tariffs = Array.from({ length: 10_000 }, (_, index) => ({
    value: '2.0TD',
    valid_from: day(9999 - index),
  }))
  const agreements = Array.from({ length: 10_000 }, (_, index) => ({
    tariff_code: 'T',
    effective_from: day(index),
    contractual_max_power: six(15_001),
  }))
  const fields = powered([], [], {}, { atr_tariffs, agreements })
  const begin = performance.now()
  t.is(validateSpanish(fields).warnings.filter((entry) => entry.endsWith('over_tariff_limit')).length, 500)
  t.true(performance.now() - begin < 10_000, `${performance.now() - begin} ms`)
})
