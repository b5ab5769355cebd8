import { at, entry, supplyPoint, withEntries, withPoints } from '../support/account-parts.js'
import type { RuleCases } from './support.js'

const special = ['__proto__', 'constructor', 'toString', '__proto__']
const points = 'supply_addresses.0.supply_points'
const withIdentifiers = (...identifiers: readonly unknown[]) =>
  withPoints(...identifiers.map((identifier) => supplyPoint({ identifier })))
const street = (fields: object, country = 'PT') => at(country, { structured_street_address: fields })

const noCups = ['ES0021000012345678LC', 'ES0021000012345678LC0F', 'ES0021000012345678LC1P']

/** Supply addresses and their supply points. */
export const addressCases: readonly RuleCases[] = [
  {
    code: 'duplicate_supply_points_found',
    under: points,
    fires: [
      ['the same', withIdentifiers('X', 'X'), '.1.identifier'],
      [
        'in another address, each later one',
        withEntries(
          at('PT'),
          { ...at('FR'), supply_points: [supplyPoint()] },
          entry({ supply_points: [supplyPoint(), supplyPoint()] }),
        ),
        ['supply_addresses.2.supply_points.0.identifier', 'supply_addresses.2.supply_points.1.identifier'],
        ['supply_addresses.2.supply_address duplicate_supply_addresses_found'],
      ],
      [
        'as a CUPS but for white space, hyphens and case',
        withIdentifiers('ES0021000012345678LB', 'es 0021\u00a00000-1234-5678 lb'),
        '.1.identifier',
        ['.1.identifier rewritten_identifier'],
      ],
      [
        'as a CUPS of 20 or 22 characters, with any metering point',
        withIdentifiers('ES0021000012345678LB0F', 'ES0021000012345678LB', 'es0021000012345678lb1p'),
        ['.1.identifier', '.2.identifier'],
      ],
      ['special names', withIdentifiers(...special), '.3.identifier'],
    ],
    silent: [
      ['different', withIdentifiers('X', 'Y')],
      ['different in another mark', withIdentifiers('X.1', 'X1', 'X_1')],
      ['of other points', withIdentifiers('ES0021000012345678LB', 'ES1234123456789012JY')],
      [
        'no CUPS, and different in any character',
        withIdentifiers('ES0021-0000', 'ES 00210000', 'es00210000', 'ES00210000', ...noCups),
      ],
      [
        'unreadable',
        withIdentifiers('X', ' ', null, undefined),
        ['.1.identifier blank', '.2.identifier null', '.3.identifier required'],
      ],
    ],
  },
  {
    code: 'duplicate_supply_addresses_found',
    under: 'supply_addresses',
    isWarning: true,
    fires: [
      ['a country alone', withEntries(at('PT'), at('PT')), '.1.supply_address'],
      [
        'all fields, in another order, beside an unknown one',
        withEntries(
          street({ street_name: 'a', door: '1' }),
          at('FR'),
          entry({
            supply_address: {
              structured_street_address: { door: '1', street_name: 'a' },
              x: 1,
              country: 'PT',
            },
          }),
        ),
        '.2.supply_address',
        ['.2.supply_address.x unknown_field'],
      ],
    ],
    silent: [
      ['another country', withEntries(at('PT'), at('FR'))],
      ['one field more', withEntries(at('PT'), at('PT', { locality: '' }))],
      ['a street more', withEntries(at('PT'), street({}))],
      ['another spelling', withEntries(at('PT', { locality: 'A' }), at('PT', { locality: 'a' }))],
      ['another street', withEntries(street({ door: '1' }), street({ door: '2' }), street({ floor: '1' }))],
      [
        'the same texts in other fields',
        withEntries(at('PT', { locality: 'A' }), at('PT', { postal_code: 'A' }), street({ door: 'A' })),
      ],
      [
        'unreadable',
        withEntries(
          at('PT', { locality: 1 }),
          at('PT', { locality: 1 }),
          street({ door: null }),
          street({ door: null }),
          at('PT', { structured_street_address: 1 }),
          at('PT'),
          entry({ supply_address: 1 }),
          entry({ supply_address: 1 }),
        ),
        [
          '.6.supply_address not_a_dict',
          '.7.supply_address not_a_dict',
          '.0.supply_address.locality invalid',
          '.1.supply_address.locality invalid',
          '.2.supply_address.structured_street_address.door null',
          '.3.supply_address.structured_street_address.door null',
          '.4.supply_address.structured_street_address not_a_dict',
        ],
      ],
      [
        'missing',
        withEntries(entry({ supply_address: {} }), entry({ supply_address: {} })),
        [0, 1].map((index) => `.${index}.supply_address.country required`),
      ],
    ],
  },
  {
    code: 'occupier_account_with_multiple_supply_addresses',
    isWarning: true,
    fires: [
      ['two', { supply_addresses: [at('PT'), at('FR')], unknown_occupier: true }, 'supply_addresses'],
      [
        'two, one unreadable',
        { supply_addresses: [at('PT'), null], unknown_occupier: true },
        'supply_addresses',
        ['supply_addresses.1 null'],
      ],
    ],
    silent: [
      ['one', { supply_addresses: [at('PT')], unknown_occupier: true }],
      ['two of a known occupier', withEntries(at('PT'), at('FR'))],
      ['two, false', { ...withEntries(at('PT'), at('FR')), unknown_occupier: false }],
      [
        'two, unknown_occupier null',
        { ...withEntries(at('PT'), at('FR')), unknown_occupier: null },
        ['unknown_occupier null'],
      ],
    ],
  },
  {
    code: 'supply_address_without_supply_points',
    under: 'supply_addresses.0',
    isWarning: true,
    fires: [['an empty list', withEntries(entry({ supply_points: [] })), '.supply_points']],
    silent: [
      ['one', withEntries(entry())],
      ['missing', withEntries(entry({ supply_points: undefined })), ['.supply_points required']],
      ['unreadable', withEntries(entry({ supply_points: 0 })), ['.supply_points not_a_list']],
    ],
  },
]
