import type { Agreement } from '@account-import/core'
import type { RowKey } from './account-row-key.js'
import { jsonColumn } from './json-column.js'
import { present } from './present.js'
import type { NewRow } from './row.js'
import { listOf, number } from './shapes.js'

/** Where an agreement stands in its account. */
export type AgreementRowKey = RowKey & Readonly<{ address_ordinal: number; point_ordinal: number }>

export type AgreementRow = AgreementRowKey &
  Readonly<{
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

const maxPower = jsonColumn('agreements.contractual_max_power', listOf(number))

export const agreementRow = (agreement: Agreement, key: AgreementRowKey): NewRow<AgreementRow> => ({
  ...key,
  tariff_code: agreement.tariff_code,
  effective_from: agreement.effective_from,
  effective_to: agreement.effective_to,
  cnae: agreement.cnae,
  contractual_max_power: agreement.contractual_max_power && maxPower.toText(agreement.contractual_max_power),
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
    contractual_max_power:
      row.contractual_max_power === null ? null : maxPower.fromText(row.contractual_max_power),
    annual_consumption: row.annual_consumption,
    estimated_monthly_fee_in_cents: row.estimated_monthly_fee_in_cents,
    social_bonus_identifier: row.social_bonus_identifier,
    atr_type: row.atr_type,
  }),
})
