import type { TypeOf } from 'io-ts'
import {
  choice,
  code,
  date,
  datetime,
  decimalText,
  figure,
  integer,
  key,
  list,
  optional,
  price,
  quantity,
  refine,
  required,
  struct,
  term,
  text,
} from '../codec/index.js'
import { countryCodes } from '../values/country-code.js'
import { scanDecimal } from '../values/decimal.js'

export const supplyType = choice(['GAS', 'ELECTRICITY'])

export type SupplyType = TypeOf<typeof supplyType>

const consumption = refine(
  decimalText({ whole: 12, decimals: 6 }),
  'readings_indicate_negative_consumption',
  (sent) => scanDecimal(sent)?.isNegative === false,
)

/** The count of a meter in an interval, which begins inclusive and ends exclusive. */
export const reading = struct('reading', {
  meter_serial_number: required(key(64)),
  interval_start: required(datetime),
  interval_end: required(datetime),
  consumption_delta: required(consumption),
  source: optional(integer(0, 9999)),
})

const power = refine(
  list(integer(0, 999_999_999)),
  'contractual_max_power_needs_six_values',
  (values) => values.length === 6,
)

const annualConsumption = refine(
  term(32),
  'invalid_annual_consumption',
  (sent) => scanDecimal(sent)?.isNegative === false,
)

/** A supply contract. `effective_from` is the first day covered, `effective_to` the first day that is not. */
export const agreement = struct('agreement', {
  tariff_code: required(code(255, 'tariff_code')),
  effective_from: required(date),
  effective_to: optional(date),
  cnae: optional(term(16)),
  contractual_max_power: optional(power),
  annual_consumption: optional(annualConsumption),
  estimated_monthly_fee_in_cents: optional(integer(0, 9_999_999_999)),
  social_bonus_identifier: optional(text(255)),
  atr_type: optional(code(64, 'atr_type')),
})

/** Something that is still to be billed. Both days of the interval are inclusive. */
export const billableItem = struct('billable item', {
  net_amount: required(figure),
  billable_item_type: required(code(64, 'billable_item_type')),
  interval_start: required(date),
  interval_end: required(date),
  number_of_units: optional(quantity),
  price_per_unit: optional(price),
  unit_type: optional(code(64, 'billable_unit_type')),
})

const atrTariff = struct('ATR tariff', { value: required(term(64)), valid_from: required(date) })

/** A point where energy is supplied, with its agreements. `last_billed_to_date` is inclusive. */
export const supplyPoint = struct('supply point', {
  identifier: required(key(64)),
  distributor_ree_code: optional(term(16)),
  supply_type: required(supplyType),
  supply_start_date: required(date),
  last_billed_to_date: optional(date),
  atr_tariffs: optional(list(atrTariff)),
  agreements: optional(list(agreement)),
  readings: optional(list(reading)),
  billable_items: optional(list(billableItem)),
})

const country = choice(countryCodes, 'the two-letter country codes of ISO 3166-1 in upper case')

const structuredStreetAddress = struct('structured street address', {
  street_type: optional(text(255)),
  street_name: optional(text(255)),
  street_number: optional(text(255)),
  door: optional(text(255)),
  floor: optional(text(255)),
  gate: optional(text(255)),
  stair: optional(text(255)),
  block: optional(text(255)),
  address_extra_info: optional(text(255)),
})

export const supplyAddress = struct('supply address', {
  locality: optional(text(512)),
  administrative_area: optional(text(512)),
  postal_code: optional(text(512)),
  country: required(country),
  structured_street_address: optional(structuredStreetAddress),
})

/** A supply address with what is supplied there. */
export const supplyAddressEntry = struct('supply address entry', {
  supply_address: required(supplyAddress),
  customer_at_supply_address_from_date: required(date),
  supply_points: required(list(supplyPoint)),
})
