import type { TypeOf } from 'io-ts'
import {
  boolean,
  choice,
  code,
  freeObject,
  key,
  list,
  optional,
  required,
  struct,
  term,
  text,
} from '../codec/index.js'
import { accountStatement } from './account-statement.js'
import { customer } from './customer.js'
import { externalAccountNumber, importSupplierCode } from './identifiers.js'
import { ledger } from './ledger.js'
import { note } from './note.js'
import { paymentSchedule } from './payment-schedule.js'
import { supplyAddressEntry } from './supply-address.js'

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
