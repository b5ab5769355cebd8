import type { AccountPayload } from '@account-import/core'
import type { SqlValue } from './database.js'
import type { ListTable, TableRows } from './table-rows.js'

const streetColumns = [
  'street_type',
  'street_name',
  'street_number',
  'door',
  'floor',
  'gate',
  'stair',
  'block',
  'address_extra_info',
] as const

const addressColumns = [
  'ordinal',
  'locality',
  'administrative_area',
  'postal_code',
  'country',
  'has_street_address',
  ...streetColumns,
  'customer_at_supply_address_from_date',
]

const pointColumns = [
  'address_ordinal',
  'ordinal',
  'identifier',
  'distributor_ree_code',
  'supply_type',
  'supply_start_date',
  'last_billed_to_date',
  'atr_tariffs',
  'readings',
  'billable_items',
]

const agreementColumns = [
  'address_ordinal',
  'point_ordinal',
  'ordinal',
  'tariff_code',
  'effective_from',
  'effective_to',
  'cnae',
  'contractual_max_power',
  'annual_consumption',
  'estimated_monthly_fee_in_cents',
  'social_bonus_identifier',
  'atr_type',
]

type Entry = NonNullable<AccountPayload['supply_addresses']>[number]

const addressValues = (entry: Entry, ordinal: number): readonly SqlValue[] => {
  const { locality, administrative_area, postal_code, country, structured_street_address } =
    entry.supply_address
  return [
    ordinal,
    locality,
    administrative_area,
    postal_code,
    country,
    structured_street_address !== undefined,
    ...streetColumns.map((name) => structured_street_address?.[name]),
    entry.customer_at_supply_address_from_date,
  ]
}

/** Addresses, their supply points, and the agreements of these. */
export const supplyTables = (account: AccountPayload, list: ListTable): readonly TableRows[] => {
  const points = (account.supply_addresses ?? []).flatMap(({ supply_points }, address) =>
    supply_points.map((point, ordinal) => ({ ...point, address, ordinal })),
  )
  const agreements = points.flatMap(({ agreements: all = [], address, ordinal: point }) =>
    all.map((agreement, ordinal) => ({ ...agreement, address, point, ordinal })),
  )
  return [
    list('supply_addresses', addressColumns, account.supply_addresses, addressValues),
    list('supply_points', pointColumns, points, (each) => [
      each.address,
      each.ordinal,
      each.identifier,
      each.distributor_ree_code,
      each.supply_type,
      each.supply_start_date,
      each.last_billed_to_date,
      JSON.stringify(each.atr_tariffs ?? []),
      JSON.stringify(each.readings ?? []),
      JSON.stringify(each.billable_items ?? []),
    ]),
    list('agreements', agreementColumns, agreements, (each) => [
      each.address,
      each.point,
      each.ordinal,
      each.tariff_code,
      each.effective_from,
      each.effective_to,
      each.cnae,
      each.contractual_max_power && JSON.stringify(each.contractual_max_power),
      each.annual_consumption,
      each.estimated_monthly_fee_in_cents,
      each.social_bonus_identifier,
      each.atr_type,
    ]),
  ]
}
