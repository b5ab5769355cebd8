import {
  choice,
  code,
  date,
  datetime,
  decimalText,
  figure,
  inNames,
  inNumbers,
  integer,
  key,
  list,
  optional,
  price,
  quantity,
  refine,
  required,
  table,
  term,
  text,
} from '../codec/index.js'
import { countryCodes } from '../values/country-code.js'
import { scanDecimal } from '../values/decimal.js'

export const supplyType = choice(['GAS', 'ELECTRICITY'])

const consumption = refine(
  decimalText({ whole: 12, decimals: 6 }),
  'readings_indicate_negative_consumption',
  (sent) => scanDecimal(sent)?.isNegative === false,
)

/** The consumption of a meter in an interval, whose start is inclusive and whose end is exclusive. */
export const reading = table('reading', {
  meter_serial_number: required(key(64)),
  interval_start: required(datetime),
  interval_end: required(datetime),
  consumption_delta: required(consumption),
  source: optional(integer(0, 9999)),
})(`
  meter_serial_number: Number on the meter. Example: "G4-0071552"
  interval_start: Time at which the interval begins, itself included, in UTC. A Spanish month begins at 23:00 or 22:00 of the day before. Example: "2025-01-31T23:00:00Z"
  interval_end: Time at which the interval ends, in UTC, no longer part of it: the start of the next interval. Example: "2025-02-28T23:00:00Z"
  consumption_delta: Consumption in the interval, not the state of the register; a text, not negative. No unit is defined. Example: "412.000"
  source: Number that says how the reading came about. The values are not defined. Example: 1
`)

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

/** A supply contract. `effective_from` is the first day covered, `effective_to` the first day not covered. */
export const agreement = table('agreement', {
  tariff_code: required(code(255, 'tariff_code')),
  effective_from: required(date),
  effective_to: optional(date),
  cnae: optional(term(16)),
  contractual_max_power: optional(power),
  annual_consumption: optional(annualConsumption),
  estimated_monthly_fee_in_cents: optional(integer(0, 9_999_999_999)),
  social_bonus_identifier: optional(text(255)),
  atr_type: optional(code(64, 'atr_type')),
})(`
  tariff_code: Code of the tariff, as the platform knows it. Example: "LUZ-TRES-TRAMOS-2024"
  effective_from: First day that the contract covers. Example: "2024-03-15"
  effective_to: First day that the contract no longer covers: the effective_from of the next one. Left out, it has no end. Example: "2026-03-15"
  cnae: Spanish code of the economic activity, four digits; 9820 stands for households. Example: "9820"
  contractual_max_power: Power by contract in whole watts, not kilowatts, in the six periods P1 to P6. Example: [4600, 4600, 4600, 4600, 4600, 4600]
  annual_consumption: Consumption that is expected in a year, in kWh; a text, not negative. Example: "3250.5"
  estimated_monthly_fee_in_cents: Fee that is expected for a month, in whole cents, so 6450 is 64.50 euros. It is not defined whether tax is included. Example: 6450
  social_bonus_identifier: Identifier of the customer's social bonus. The service does not read it. Example: "BS-2024-000871"
  atr_type: Type of the Spanish grid access contract, two digits. Example: "01"
`)

/** An item to be billed. Both days of the interval are inclusive. */
export const billableItem = table('billable item', {
  net_amount: required(figure),
  billable_item_type: required(code(64, 'billable_item_type')),
  interval_start: required(date),
  interval_end: required(date),
  number_of_units: optional(quantity),
  price_per_unit: optional(price),
  unit_type: optional(code(64, 'billable_unit_type')),
})(`
  net_amount: Euros before tax: number_of_units times price_per_unit. The sign is not defined; in the samples a charge is positive. Example: 1.77
  billable_item_type: Kind of the charge, in the words of the platform. Example: "METER_RENTAL"
  interval_start: First day that the charge covers. Example: "2025-04-01"
  interval_end: Last day that the charge covers, itself included. Example: "2025-06-30"
  number_of_units: Quantity to bill, in the unit that unit_type names. Example: 3
  price_per_unit: Euros for one unit, before tax. Example: 0.59
  unit_type: Unit that is counted. Example: "PER_ITEM"
`)

const atrTariff = table('ATR tariff', { value: required(term(64)), valid_from: required(date) })(`
  value: Spanish access tariff of the supply point. Example: "2.0TD"
  valid_from: First day on which the tariff holds, until the next one begins. Example: "2022-03-15"
`)

/** A point where energy is supplied, with its agreements. `last_billed_to_date` is inclusive. */
export const supplyPoint = table('supply point', {
  identifier: required(key(64, inNumbers)),
  distributor_ree_code: optional(term(16)),
  supply_type: required(supplyType),
  supply_start_date: required(date),
  last_billed_to_date: optional(date),
  atr_tariffs: optional(list(atrTariff)),
  agreements: optional(list(agreement)),
  readings: optional(list(reading)),
  billable_items: optional(list(billableItem)),
})(`
  identifier: Identifier of the supply point, in Spain its CUPS of 20 or 22 characters; it is in one account alone. The first 20 characters of a valid CUPS are the supply point, in any spelling; other identifiers are compared exactly. Example: "ES0021000012345678LB1F"
  distributor_ree_code: Code of the grid operator, four digits with leading zeros; mostly characters 3 to 6 of the CUPS. Example: "0021"
  supply_type: Kind of energy. Example: "ELECTRICITY"
  supply_start_date: First day on which the supplier supplied the point. Example: "2022-03-15"
  last_billed_to_date: Last day that a bill covers, itself included; billing goes on with the day after. A point without bills leaves it out, or gives the first day of supply. Example: "2025-04-30"
  atr_tariffs: Access tariffs, each with its first day.
  agreements: Supply contracts, one after the other without overlap.
  readings: Consumption that the meters measured, for either kind of energy.
  billable_items: Charges that are still to be billed, for either kind of energy.
`)

const country = choice(countryCodes, 'the two-letter country codes of ISO 3166-1 in upper case')

const structuredStreetAddress = table('structured street address', {
  street_type: optional(text(255, inNames)),
  street_name: optional(text(255, inNames)),
  street_number: optional(text(255, inNames)),
  door: optional(text(255, inNames)),
  floor: optional(text(255, inNames)),
  gate: optional(text(255, inNames)),
  stair: optional(text(255, inNames)),
  block: optional(text(255, inNames)),
  address_extra_info: optional(text(255, inNames)),
})(`
  street_type: Kind of street, often abbreviated. Example: "CL"
  street_name: Name of the street without its kind. Example: "Mayor"
  street_number: Number of the house. Example: "12"
  door: Door on the floor. Example: "3"
  floor: Floor of the building. Example: "2"
  gate: Gate or entrance to the building. Example: "1"
  stair: Stairway in the building. Example: "A"
  block: Block, if there are several under one number. Example: "1"
  address_extra_info: Anything else that helps to find the place. Example: "Entrada por el patio"
`)

export const supplyAddress = table('supply address', {
  locality: optional(text(512, inNames)),
  administrative_area: optional(text(512, inNames)),
  postal_code: optional(text(512, inNames)),
  country: required(country),
  structured_street_address: optional(structuredStreetAddress),
})(`
  locality: Town or village. Example: "Barcelona"
  administrative_area: Province, state or county. Example: "Barcelona"
  postal_code: Postal code; in Spain five digits with leading zeros. Example: "08001"
  country: Country, as two letters of ISO 3166-1. Example: "ES"
  structured_street_address: Street and place in the building, in parts.
`)

/** A supply address with its supply points. */
export const supplyAddressEntry = table('supply address entry', {
  supply_address: required(supplyAddress),
  customer_at_supply_address_from_date: required(date),
  supply_points: required(list(supplyPoint)),
})(`
  supply_address: Address of the place.
  customer_at_supply_address_from_date: First day on which the customer used the supply at this address. Example: "2022-03-15"
  supply_points: Points at this address where energy is supplied.
`)
