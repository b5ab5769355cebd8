import test from 'ava'
import { checkAccountPayload, E } from '@account-import/core/adapter-kit'
import { accountWith, contextWith } from '../../validation/support.js'

const code = 'invalid_supply_point_identifier'

const addressed = (country: string, supply_points: readonly object[]): object => ({
  supply_address: { country },
  customer_at_supply_address_from_date: '2024-01-01',
  supply_points,
})

const point = (identifier: string, fault: object = {}): object => ({
  identifier,
  supply_type: 'ELECTRICITY',
  supply_start_date: '2024-01-01',
  ...fault,
})

/**
 * Where the market finds fault before and after an address that it leaves alone, with more faults than are reported;
 * and of which severity there were more.
 */
const around = (fault: object, severity: 'error' | 'warn') => {
  const payload = accountWith({
    unknown_occupier: true,
    supply_addresses: [
      addressed('ES', [point('before')]),
      addressed(
        'PT',
        Array.from({ length: 5000 }, (_, index) => point(`N-${index}`, fault)),
      ),
      addressed('ES', [point('after')]),
    ],
  })
  const severities = { [code]: severity, supply_point_with_no_agreement: 'off' } as const
  const checked = checkAccountPayload(payload, contextWith({ severities }))
  const errors = E.isLeft(checked) ? checked.left.errors : []
  const { warnings } = E.isLeft(checked) ? checked.left : checked.right
  const found = [...errors, ...warnings].filter((entry) => entry.code === code)
  return { at: found.map(({ attr }) => attr), isCut: [errors.length === 1001, warnings.length === 1001] }
}

const first = 'supply_addresses.0.supply_points.0.identifier'
const last = 'supply_addresses.2.supply_points.0.identifier'

const error = { supply_type: 'NONE' }
const warning = { unknown: 1 }

test('past a thousand errors and a thousand warnings a market reports nothing, and before them what it finds last', (t) => {
  const both = { ...error, ...warning }
  for (const severity of ['error', 'warn'] as const)
    t.deepEqual(around(both, severity), { at: [first], isCut: [true, true] }, severity)
})

test('past a thousand errors alone a market still reports warnings, and the other way round errors', (t) => {
  t.deepEqual(around(error, 'warn'), { at: [first, last], isCut: [true, false] })
  t.deepEqual(around(error, 'error'), { at: [first], isCut: [true, false] })
  t.deepEqual(around(warning, 'error'), { at: [first, last], isCut: [false, true] })
  t.deepEqual(around(warning, 'warn'), { at: [first], isCut: [false, true] })
})
