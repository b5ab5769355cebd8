import { at, copyOf, listAt, type Json } from './json.js'
import { replaced, type Fault, type Finding } from './fault.js'

/** Adds an address without supply. */
const addAddress = (account: Json, address: Json): string => {
  const entries = listAt(account, 'supply_addresses')
  entries.push({
    supply_address: address,
    customer_at_supply_address_from_date: '2024-01-01',
    supply_points: [],
  })
  return `supply_addresses.${entries.length - 1}`
}

const garage: Json = { locality: 'Valencia', postal_code: '46001', country: 'ES' }

const isOccupied = (account: Json): boolean => at(account, 'unknown_occupier') === false

/** Distinguishes a generated value from one of a fault. */
const isVacant = (account: Json): boolean =>
  at(account, 'unknown_occupier') === true && at(account, 'customers') === undefined

const more: readonly Fault[] = [
  {
    zone: 'supply.address',
    code: 'duplicate_supply_addresses_found',
    put: (account): readonly Finding[] => {
      if (!isOccupied(account)) return []
      const entry = addAddress(account, copyOf(at(account, 'supply_addresses.0.supply_address')))
      return [
        { attr: `${entry}.supply_address`, code: 'duplicate_supply_addresses_found' },
        { attr: `${entry}.supply_points`, code: 'supply_address_without_supply_points' },
      ]
    },
  },
  {
    zone: 'supply.address',
    code: 'supply_address_without_supply_points',
    put: (account) =>
      isOccupied(account)
        ? [
            {
              attr: `${addAddress(account, garage)}.supply_points`,
              code: 'supply_address_without_supply_points',
            },
          ]
        : [],
  },
  {
    zone: 'supply.address',
    code: 'occupier_account_with_multiple_supply_addresses',
    put: (account) =>
      isVacant(account)
        ? [
            { attr: 'supply_addresses', code: 'occupier_account_with_multiple_supply_addresses' },
            {
              attr: `${addAddress(account, garage)}.supply_points`,
              code: 'supply_address_without_supply_points',
            },
          ]
        : [],
  },
]

const address = 'supply_addresses.*.supply_address'
const movedIn = 'supply_addresses.*.customer_at_supply_address_from_date'

/** Faults in supply addresses. An unreadable country disables the checks of its market. */
export const addressFaults: readonly Fault[] = [
  ...more,
  replaced('supply.address', `${address}.postal_code`, '4600', 'invalid_postcode'),
  replaced('supply.address', `${address}.locality`, 'Elx\u0000', 'null_characters_not_allowed'),
  replaced('supply.address', `${address}.structured_street_address`, 'Calle Mayor 12', 'not_a_dict'),
  replaced('supply', `${address}.country`, 'es', 'invalid_choice'),
  replaced('supply', `${address}.country`, null, 'null'),
  replaced('supply.from', movedIn, '2023-02-29', 'invalid'),
  replaced('supply.from', movedIn, '2023-06-01T00:00:00Z', 'datetime'),
  replaced('supply.from', movedIn, '0023-06-01', 'min_value'),
]
