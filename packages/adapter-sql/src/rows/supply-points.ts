import type { Agreement, BillableItem, Reading, SupplyPoint } from '@account-import/core'
import type { RowKey } from './account-row-key.js'
import { jsonColumn } from './json-column.js'
import { present } from './present.js'
import type { NewRow } from './row.js'
import { listOf, number, objectOf, optional, text, textOrNumber } from './shapes.js'

/** Where a supply point stands in its account. */
export type SupplyPointRowKey = RowKey & Readonly<{ address_ordinal: number }>

export type SupplyPointRow = SupplyPointRowKey &
  Readonly<{
    identifier: string
    distributor_ree_code: string | null
    supply_type: string
    supply_start_date: string
    last_billed_to_date: string | null
    atr_tariffs: string
    readings: string
    billable_items: string
  }>

const atrTariffs = jsonColumn<SupplyPoint['atr_tariffs']>(
  'supply_points.atr_tariffs',
  listOf(objectOf({ value: text, valid_from: text })),
)

const readings = jsonColumn(
  'supply_points.readings',
  listOf(
    objectOf<Reading>({
      meter_serial_number: text,
      interval_start: text,
      interval_end: text,
      consumption_delta: text,
      source: optional(number),
    }),
  ),
)

const billableItems = jsonColumn(
  'supply_points.billable_items',
  listOf(
    objectOf<BillableItem>({
      net_amount: textOrNumber,
      billable_item_type: text,
      interval_start: text,
      interval_end: text,
      number_of_units: optional(textOrNumber),
      price_per_unit: optional(textOrNumber),
      unit_type: optional(text),
    }),
  ),
)

export const supplyPointRow = (point: SupplyPoint, key: SupplyPointRowKey): NewRow<SupplyPointRow> => ({
  ...key,
  identifier: point.identifier,
  distributor_ree_code: point.distributor_ree_code,
  supply_type: point.supply_type,
  supply_start_date: point.supply_start_date,
  last_billed_to_date: point.last_billed_to_date,
  atr_tariffs: atrTariffs.toText(point.atr_tariffs),
  readings: readings.toText(point.readings),
  billable_items: billableItems.toText(point.billable_items),
})

export const supplyPointOf = (row: SupplyPointRow, agreements: readonly Agreement[]): SupplyPoint => ({
  identifier: row.identifier,
  supply_type: row.supply_type,
  supply_start_date: row.supply_start_date,
  ...present({
    distributor_ree_code: row.distributor_ree_code,
    last_billed_to_date: row.last_billed_to_date,
  }),
  atr_tariffs: atrTariffs.fromText(row.atr_tariffs),
  agreements,
  readings: readings.fromText(row.readings),
  billable_items: billableItems.fromText(row.billable_items),
})
