import {
  code,
  date,
  figure,
  list,
  optional,
  price,
  quantity,
  refine,
  required,
  struct,
} from '../codec/index.js'

const registerValues = refine(
  list(quantity),
  'line_item_units_must_be_two_values',
  (values) => values.length === 2,
)

/** One thing that a supply charge bills. Both days are inclusive; `units`: opening and closing register value. */
export const lineItem = struct('line item', {
  rate_band: optional(code(128, 'rate_band')),
  start_date: required(date),
  end_date: required(date),
  number_of_units: required(quantity),
  net_amount: required(figure),
  price_per_unit: optional(price),
  units: optional(registerValues),
})
