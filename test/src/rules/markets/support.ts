import type { RuleSettings } from '@account-import/core'
import { checkAccountPayload, E } from '@account-import/core/adapter-kit'
import { accountWith, contextWith } from '../../validation/support.js'

/** Entries as `attr code`, in their order. */
export type Validated = Readonly<{ errors: readonly string[]; warnings: readonly string[] }>

const spanishCodes = new Set([
  'invalid_supply_point_identifier',
  'invalid_distributor_ree_code',
  'distributor_ree_code_mismatch',
  'invalid_postcode',
  'invalid_cnae',
  'unknown_atr_tariff',
  'contractual_max_power_over_tariff_limit',
  'contractual_max_power_not_ascending',
  'invalid_fiscal_code',
])

type Entry = Readonly<{ attr: string; code: string }>

const inShort = (entries: readonly Entry[]): readonly string[] =>
  entries.filter(({ code }) => spanishCodes.has(code)).map(({ attr, code }) => `${attr} ${code}`)

/** What the rules of the Spanish market say about the least account with these fields. */
export const validateSpanish = (fields: object, settings: Partial<RuleSettings> = {}): Validated => {
  const checked = checkAccountPayload(accountWith(fields), contextWith(settings))
  if (E.isRight(checked)) return { errors: [], warnings: inShort(checked.right.warnings) }
  return { errors: inShort(checked.left.errors), warnings: inShort(checked.left.warnings) }
}

/** An account with one address in a country, and one supply point there. */
export const supplied = (point: object, address: object = {}): object => ({
  supply_addresses: [
    {
      supply_address: { country: 'ES', ...address },
      customer_at_supply_address_from_date: '2024-01-01',
      supply_points: [
        {
          identifier: 'ES0021000012345678LB',
          supply_type: 'ELECTRICITY',
          supply_start_date: '2024-01-01',
          ...point,
        },
      ],
    },
  ],
})

export const pointAt = 'supply_addresses.0.supply_points.0'

/** The same with one agreement that has power values, under access tariffs by their first days. */
export const powered = (
  power: unknown,
  tariffs: readonly (readonly [value: unknown, validFrom: unknown])[],
  agreement: object = {},
  point: object = {},
): object =>
  supplied({
    atr_tariffs: tariffs.map(([value, valid_from]) => ({ value, valid_from })),
    agreements: [
      { tariff_code: 'T', effective_from: '2024-06-01', contractual_max_power: power, ...agreement },
    ],
    ...point,
  })

/** An account whose only customer has a user detail. */
export const detailed = (value: unknown, namespace: unknown = 'fiscal_code'): object => ({
  customers: [
    {
      user_details: [
        { namespace: 'first_family_name', value: 'Z' },
        { namespace, value },
      ],
    },
  ],
})
