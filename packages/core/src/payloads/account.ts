import type { TypeOf } from 'io-ts'
import {
  boolean,
  choice,
  code,
  date,
  datetime,
  decimal,
  documentPath,
  email,
  freeObject,
  integer,
  key,
  list,
  maskedText,
  optional,
  phone,
  refine,
  required,
  struct,
  term,
  text,
} from '../codec/index.js'
import { externalAccountNumber, importSupplierCode } from './identifiers.js'
import { ledger } from './ledger.js'
import { supplyAddressEntry, supplyType } from './supply.js'

const userDetail = struct('user detail', {
  namespace: required(code(128, 'user_detail_namespace')),
  value: required(term(1024)),
})

/** A person or business of the account, and how to reach them. */
const customer = struct('customer', {
  account_roles: optional(list(code(64, 'account_roles'))),
  user_details: optional(list(userDetail)),
  given_name: optional(text(255)),
  family_name: optional(text(255)),
  email: optional(email),
  mobile: optional(phone('mobile')),
  landline: optional(phone('landline')),
})

const documentReference = struct('document reference', { document_path: required(documentPath) })

/** A remark of the supplier's staff about the account. */
export const note = struct('note', {
  body: optional(maskedText(65_536)),
  document_paths: optional(list(documentReference)),
  created_at: optional(datetime),
  is_pinned: optional(boolean),
  unpin_at: optional(datetime),
})

/** A bill from before the migration. Both days of the billed period are inclusive. */
const accountStatement = struct('account statement', {
  bill_period_from_date: required(date),
  bill_period_to_date: required(date),
  statement_path: optional(documentPath),
  statement_id: required(key(255)),
  supply_type: optional(supplyType),
})

const means = ['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP'] as const
const triggers = ['PLAN', 'REGULAR', 'REGULAR_PLAN', 'BALANCE', 'BILL'] as const
const frequencies = [
  'WEEKLY',
  'FORTNIGHTLY',
  'FOUR_WEEKLY',
  'MONTHLY',
  'QUARTERLY',
  'SIX_MONTHLY',
  'ANNUALLY',
] as const

const dayOfMonth = refine(integer(1, 31), 'invalid_payment_day_for_payment_schedule', (day) => day <= 28)

/** When and how the customer pays regularly. Both days are inclusive; `amount` is for each collection. */
export const paymentSchedule = struct('payment schedule', {
  means: required(choice(means)),
  start_date: required(date),
  end_date: optional(date),
  trigger: optional(choice(triggers)),
  amount: optional(decimal({ whole: 8, decimals: 2, floor: 0 })),
  frequency: optional(choice(frequencies)),
  day_of_month: optional(dayOfMonth),
})

const accountTypes = [
  'DOMESTIC',
  'BUSINESS',
  'MANAGED',
  'PORTFOLIO_LEAD',
  'DOMESTIC_VACANT',
  'BUSINESS_VACANT',
  'DOMESTIC_OCCUPIER',
  'BUSINESS_OCCUPIER',
  'SYSTEM',
  'DOMESTIC_THIRD_PARTY_BILLED',
  'BUSINESS_THIRD_PARTY_BILLED',
] as const

const metadataItem = struct('metadata item', { key: required(key(1024)), value: required(freeObject) })

const reference = struct('reference', { namespace: required(key(50)), value: required(term(100)) })

/**
 * The payload of validate and stage. Whether customers have to be there depends on
 * `unknown_occupier`, so that is a rule over the account.
 */
export const accountPayload = struct('account', {
  import_supplier: required(importSupplierCode),
  external_account_number: required(externalAccountNumber),
  account_type: optional(choice(accountTypes)),
  customers: optional(list(customer)),
  supply_addresses: optional(list(supplyAddressEntry)),
  notes: optional(list(note)),
  ledgers: optional(list(ledger)),
  payment_schedules: optional(list(paymentSchedule)),
  statements: optional(list(accountStatement)),
  metadata: optional(list(metadataItem)),
  references: optional(list(reference)),
  billing_name: optional(text(510)),
  billing_address1: optional(text(512)),
  billing_address2: optional(text(512)),
  billing_address3: optional(text(512)),
  billing_address4: optional(text(512)),
  billing_address5: optional(text(512)),
  billing_postcode: optional(text(512)),
  sales_channel: optional(code(128, 'sales_channel')),
  sales_subchannel: optional(text(255)),
  unknown_occupier: optional(boolean),
  communication_preference: optional(choice(['ONLINE', 'PRINT'])),
})

/**
 * An account payload that was read and checked: no defaults applied, every field as it was sent, dates and the like in types that
 * only the codec makes. To write a payload, take `AccountToSend`: its dates are plain texts.
 */
export type AccountPayload = TypeOf<typeof accountPayload>

/**
 * A payload as its sender writes it: dates, instants and the like are plain texts, and the service checks them. A type of
 * one's own with these fields fits; a field that is misspelt in a literal does not compile.
 */
export type Sendable<Payload> = Payload extends string
  ? // Only of listed texts a record has fields of its own; of any text, marked as a date or not, it has none.
    Record<never, never> extends Record<Payload, unknown>
    ? string
    : Payload
  : Payload extends object
    ? { readonly [Field in keyof Payload]: Sendable<Payload[Field]> }
    : Payload

/** An account as its sender writes it: the `payload` of `validateAccount` and `stageAccount`. */
export type AccountToSend = Sendable<AccountPayload>
