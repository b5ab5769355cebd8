import { code, date, integer, list, optional, refine, required, struct, term, text } from '../codec/index.js'
import { scanDecimal } from '../values/decimal.js'

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
