import { code, date, figure, optional, price, quantity, required, struct } from '../codec/index.js'

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
