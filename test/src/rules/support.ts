import type { FieldError, MarketPack, RuleSettings } from '@account-import/core'
import { E } from '@account-import/core/fp'
import { checkAccountPayload } from '@account-import/core/payloads'
import { agreement, at, supplyPoint, withCustomers } from '../support/account-parts.js'
import { accountWith, contextWith } from '../validation/support.js'

/** The day on which the cases are validated. */
export const today = '2025-09-01'

/** Entries as `attr code`, in their order. */
export type Validated = Readonly<{ errors: readonly string[]; warnings: readonly string[] }>

const inShort = ({ attr, code }: FieldError): string => `${attr} ${code}`

/** The findings in an account with these fields; its occupier is unknown unless they name its customers. */
export const validate = (
  fields: object,
  settings: Partial<RuleSettings> = {},
  markets?: readonly MarketPack[],
): Validated => {
  const isKnown = 'customers' in fields || 'unknown_occupier' in fields
  const payload = accountWith({ ...(isKnown ? {} : { unknown_occupier: true }), ...fields })
  const checked = checkAccountPayload(payload, contextWith(settings), [], markets)
  return {
    errors: E.isLeft(checked) ? checked.left.errors.map(inShort) : [],
    warnings: (E.isLeft(checked) ? checked.left : checked.right).warnings.map(inShort),
  }
}

/**
 * One rule: payloads in which it fires, with its paths and the other findings; and payloads in which it does not, with their
 * findings. Everything else in them is valid. A path or a finding with a leading dot is relative to `under`.
 */
export type RuleCases = Readonly<{
  code: string
  under?: string
  isWarning?: true
  fires: readonly (readonly [why: string, fields: object, at: string | readonly string[], others?: Entries])[]
  silent: readonly (readonly [why: string, fields: object, others?: Entries])[]
}>

type Entries = readonly string[]

const spanishCodes = new Set([
  'invalid_supply_point_identifier',
  'invalid_distributor_ree_code',
  'distributor_ree_code_mismatch',
  'invalid_postcode',
  'invalid_cnae',
  'unknown_atr_tariff',
  'atr_tariff_outside_its_time',
  'distributor_of_other_supply_type',
  'contractual_max_power_below_100_watts',
  'consumption_over_contracted_power',
  'periods_share_days',
  'end_date_means_no_end',
  'contractual_max_power_over_tariff_limit',
  'contractual_max_power_not_ascending',
  'invalid_fiscal_code',
])

/** The findings of the rules of the Spanish market alone in such an account. */
export const validateSpanish = (fields: object, settings: Partial<RuleSettings> = {}): Validated => {
  const { errors, warnings } = validate(fields, settings)
  const isSpanish = (entry: string): boolean => spanishCodes.has(entry.split(' ').at(-1) ?? '')
  return { errors: errors.filter(isSpanish), warnings: warnings.filter(isSpanish) }
}

/** An account with one address in a country, Spain by default, and one supply point there. */
export const supplied = (point: object, address: object = {}): object => {
  const supply_points = [
    supplyPoint({ identifier: 'ES0021000012345678LB', supply_type: 'ELECTRICITY', ...point }),
  ]
  return { supply_addresses: [{ ...at('ES', { ...address }), supply_points }] }
}

/** The same with one agreement that has power values, under access tariffs by their first days. */
export const powered = (
  contractual_max_power: unknown,
  tariffs: readonly (readonly [value: unknown, validFrom: unknown])[],
  changed: object = {},
  point: object = {},
): object =>
  supplied({
    atr_tariffs: tariffs.map(([value, valid_from]) => ({ value, valid_from })),
    agreements: [agreement('2024-06-01', undefined, { contractual_max_power, ...changed })],
    ...point,
  })

/** An account whose only customer has a user detail. */
export const detailed = (value: unknown, namespace: unknown = 'fiscal_code'): object =>
  withCustomers({
    user_details: [
      { namespace: 'first_family_name', value: 'Z' },
      { namespace, value },
    ],
  })
