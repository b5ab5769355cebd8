import { choice, date, list, optional, required, struct, text } from '../codec/index.js'
import { countryCodes } from '../values/country-code.js'
import { supplyPoint } from './supply-point.js'

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
