import type { DecimalText, SentDecimal } from '../values/decimal.js'
import type { Instant } from '../values/instant.js'
import type { PaymentInstructionDetails } from './payment-instruction-details.js'

/**
 * The content of an account: the fields of its payload by their names in JSON, with the defaults applied. Lists that were not
 * sent are empty; other fields that were not sent are absent. Amounts for searches and sums are canonical decimal text with two
 * places; numbers inside detail lists are kept as sent.
 */
export type AccountDetails = Readonly<{
  account_type: string
  customers: readonly Customer[]
  supply_addresses: readonly Readonly<{
    supply_address: Readonly<{
      locality?: string
      administrative_area?: string
      postal_code?: string
      country: string
      structured_street_address?: Readonly<{
        street_type?: string
        street_name?: string
        street_number?: string
        door?: string
        floor?: string
        gate?: string
        stair?: string
        block?: string
        address_extra_info?: string
      }>
    }>
    customer_at_supply_address_from_date: string
    supply_points: readonly SupplyPoint[]
  }>[]
  notes: readonly AccountNote[]
  ledgers: readonly Ledger[]
  /** Added after the account was created, while it had no ledger. */
  transactions_without_ledger: readonly Transaction[]
  payment_schedules: readonly PaymentSchedule[]
  statements: readonly AccountStatement[]
  /** Not part of an account payload: they are added to existing accounts. */
  payment_instructions: readonly AccountPaymentInstruction[]
  metadata: readonly Readonly<{ key: string; value: Readonly<Record<string, unknown>> }>[]
  references: readonly Readonly<{ namespace: string; value: string }>[]
  billing_name?: string
  billing_address1?: string
  billing_address2?: string
  billing_address3?: string
  billing_address4?: string
  billing_address5?: string
  billing_postcode?: string
  sales_channel: string
  sales_subchannel?: string
  unknown_occupier: boolean
  communication_preference: string
}>

export type Customer = Readonly<{
  account_roles: readonly string[]
  user_details: readonly Readonly<{ namespace: string; value: string }>[]
  given_name?: string
  family_name?: string
  email?: string
  mobile?: string
  landline?: string
}>

export type SupplyPoint = Readonly<{
  identifier: string
  distributor_ree_code?: string
  supply_type: string
  supply_start_date: string
  last_billed_to_date?: string
  atr_tariffs: readonly Readonly<{ value: string; valid_from: string }>[]
  agreements: readonly Agreement[]
  readings: readonly Reading[]
  billable_items: readonly Readonly<{
    net_amount: SentDecimal
    billable_item_type: string
    interval_start: string
    interval_end: string
    number_of_units?: SentDecimal
    price_per_unit?: SentDecimal
    unit_type?: string
  }>[]
}>

export type Agreement = Readonly<{
  tariff_code: string
  effective_from: string
  effective_to?: string
  cnae?: string
  contractual_max_power?: readonly number[]
  annual_consumption?: string
  estimated_monthly_fee_in_cents?: number
  social_bonus_identifier?: string
  atr_type?: string
}>

export type Reading = Readonly<{
  meter_serial_number: string
  interval_start: string
  interval_end: string
  consumption_delta: string
  source?: number
}>

export type Ledger = Readonly<{
  ledger_code: string
  last_statement_balance?: DecimalText
  last_statement_closing_date?: string
  ledger_balance?: DecimalText
  current_statement_transactions: readonly Transaction[]
  historical_statement_transactions: readonly Transaction[]
}>

export type Transaction = Readonly<{
  transaction_id: string
  transaction_date: string
  amount: DecimalText
  type: string
  reason?: string
  reference?: string
  payment_type?: string
  display_note?: string
  note?: string
  product_code?: string
  line_items: readonly LineItem[]
  tax_items: readonly TaxItem[]
}>

export type LineItem = Readonly<{
  rate_band?: string
  start_date: string
  end_date: string
  number_of_units: SentDecimal
  net_amount: SentDecimal
  price_per_unit?: SentDecimal
  units?: readonly SentDecimal[]
}>

export type TaxItem = Readonly<{
  amount: SentDecimal
  tax_type: string
  value_taxed: SentDecimal
  rate: SentDecimal
  unit_type: string
}>

export type PaymentSchedule = Readonly<{
  means: string
  start_date: string
  end_date?: string
  trigger: string
  amount?: DecimalText
  frequency?: string
  day_of_month?: number
}>

/** A bill from before the migration. Bills that were added later can have all fields. */
export type AccountStatement = Readonly<{
  bill_period_from_date: string
  bill_period_to_date: string
  statement_path?: string
  statement_id: string
  supply_type?: string
  issued_date?: string
  number?: string
  gross_amount?: DecimalText
}>

/** An instruction that the vendor verified when it was added, with the vendor's details. */
export type AccountPaymentInstruction = Readonly<{
  vendor: string
  reference: string
  type: string
  details: PaymentInstructionDetails
  created_at: Instant
}>

export type AccountNote = Readonly<{
  body?: string
  document_paths: readonly Readonly<{ document_path: string }>[]
  created_at: Instant
  is_pinned: boolean
  unpin_at?: Instant
}>
