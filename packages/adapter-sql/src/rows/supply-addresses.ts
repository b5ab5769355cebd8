import type { StructuredStreetAddress, SupplyAddressEntry, SupplyPoint } from '@account-import/core'
import { present } from './present.js'
import type { RowKey } from './account-row-key.js'
import { sqlBoolean, type NewRow, type SqlBoolean } from './row.js'

type OptionalText = string | null

export type SupplyAddressRow = RowKey &
  Readonly<{
    locality: OptionalText
    administrative_area: OptionalText
    postal_code: OptionalText
    country: string
    /** A street address that was sent may have no fields at all. */
    has_street_address: SqlBoolean
    street_type: OptionalText
    street_name: OptionalText
    street_number: OptionalText
    door: OptionalText
    floor: OptionalText
    gate: OptionalText
    stair: OptionalText
    block: OptionalText
    address_extra_info: OptionalText
    customer_at_supply_address_from_date: string
  }>

export const supplyAddressRow = (entry: SupplyAddressEntry, key: RowKey): NewRow<SupplyAddressRow> => {
  const address = entry.supply_address
  const street = address.structured_street_address
  return {
    ...key,
    locality: address.locality,
    administrative_area: address.administrative_area,
    postal_code: address.postal_code,
    country: address.country,
    has_street_address: sqlBoolean(street !== undefined),
    street_type: street?.street_type,
    street_name: street?.street_name,
    street_number: street?.street_number,
    door: street?.door,
    floor: street?.floor,
    gate: street?.gate,
    stair: street?.stair,
    block: street?.block,
    address_extra_info: street?.address_extra_info,
    customer_at_supply_address_from_date: entry.customer_at_supply_address_from_date,
  }
}

const streetOf = (row: SupplyAddressRow): StructuredStreetAddress | null =>
  row.has_street_address
    ? present({
        street_type: row.street_type,
        street_name: row.street_name,
        street_number: row.street_number,
        door: row.door,
        floor: row.floor,
        gate: row.gate,
        stair: row.stair,
        block: row.block,
        address_extra_info: row.address_extra_info,
      })
    : null

export const supplyAddressOf = (
  row: SupplyAddressRow,
  supplyPoints: readonly SupplyPoint[],
): SupplyAddressEntry => ({
  supply_address: {
    country: row.country,
    ...present({
      locality: row.locality,
      administrative_area: row.administrative_area,
      postal_code: row.postal_code,
      structured_street_address: streetOf(row),
    }),
  },
  customer_at_supply_address_from_date: row.customer_at_supply_address_from_date,
  supply_points: supplyPoints,
})
