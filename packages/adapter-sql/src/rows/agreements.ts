import type { Agreement } from '@account-import/core'
import type { Place } from './account-row-key.js'
import { fromOptionalJson, toOptionalJson } from './json.js'
import { present } from './present.js'
import type { Row } from './row.js'

export type AgreementRow = Readonly<{
  address_ordinal: number
  point_ordinal: number
  ordinal: number
  tariff_code: string
  effective_from: string
  effective_to: string | null
  cnae: string | null
  contractual_max_power: string | null
  annual_consumption: string | null
  estimated_monthly_fee_in_cents: number | null
  social_bonus_identifier: string | null
  atr_type: string | null
}>

/** Where an agreement stands in its account. */
export type AgreementPlace = Place & Readonly<{ address_ordinal: number; point_ordinal: number }>

export const agreementRow = (agreement: Agreement, place: AgreementPlace): Row => ({
  ...place,
  tariff_code: agreement.tariff_code,
  effective_from: agreement.effective_from,
  effective_to: agreement.effective_to,
  cnae: agreement.cnae,
  contractual_max_power: toOptionalJson(agreement.contractual_max_power),
  annual_consumption: agreement.annual_consumption,
  estimated_monthly_fee_in_cents: agreement.estimated_monthly_fee_in_cents,
  social_bonus_identifier: agreement.social_bonus_identifier,
  atr_type: agreement.atr_type,
})

export const agreementOf = (row: AgreementRow): Agreement => ({
  tariff_code: row.tariff_code,
  effective_from: row.effective_from,
  ...present({
    effective_to: row.effective_to,
    cnae: row.cnae,
    contractual_max_power: fromOptionalJson<readonly number[]>(row.contractual_max_power),
    annual_consumption: row.annual_consumption,
    estimated_monthly_fee_in_cents: row.estimated_monthly_fee_in_cents,
    social_bonus_identifier: row.social_bonus_identifier,
    atr_type: row.atr_type,
  }),
})
