import { code, figure, required, struct } from '../codec/index.js'

/** A tax on a transaction. A `rate` of 0.21 is 21 % with unit type PROPORTION. */
export const taxItem = struct('tax item', {
  amount: required(figure),
  tax_type: required(code(64, 'tax_type')),
  value_taxed: required(figure),
  rate: required(figure),
  unit_type: required(code(64, 'tax_unit_type')),
})
