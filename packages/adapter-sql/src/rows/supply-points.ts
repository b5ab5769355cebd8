import type { Agreement, SupplyPoint } from '@account-import/core'
import type { Place } from './account-row-key.js'
import { fromJson, toJson } from './json.js'
import { present } from './present.js'
import type { Row } from './row.js'

export type SupplyPointRow = Readonly<{
  address_ordinal: number
  ordinal: number
  identifier: string
  distributor_ree_code: string | null
  supply_type: string
  supply_start_date: string
  last_billed_to_date: string | null
  atr_tariffs: string
  readings: string
  billable_items: string
}>

/** Where a supply point stands in its account. */
export type SupplyPointPlace = Place & Readonly<{ address_ordinal: number }>

export const supplyPointRow = (point: SupplyPoint, place: SupplyPointPlace): Row => ({
  ...place,
  identifier: point.identifier,
  distributor_ree_code: point.distributor_ree_code,
  supply_type: point.supply_type,
  supply_start_date: point.supply_start_date,
  last_billed_to_date: point.last_billed_to_date,
  atr_tariffs: toJson(point.atr_tariffs),
  readings: toJson(point.readings),
  billable_items: toJson(point.billable_items),
})

export const supplyPointOf = (row: SupplyPointRow, agreements: readonly Agreement[]): SupplyPoint => ({
  identifier: row.identifier,
  supply_type: row.supply_type,
  supply_start_date: row.supply_start_date,
  ...present({
    distributor_ree_code: row.distributor_ree_code,
    last_billed_to_date: row.last_billed_to_date,
  }),
  atr_tariffs: fromJson<SupplyPoint['atr_tariffs']>(row.atr_tariffs),
  agreements,
  readings: fromJson<SupplyPoint['readings']>(row.readings),
  billable_items: fromJson<SupplyPoint['billable_items']>(row.billable_items),
})
