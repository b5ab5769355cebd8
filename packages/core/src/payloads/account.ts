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
  inNames,
  inNumbers,
  integer,
  key,
  list,
  maskedText,
  optional,
  phone,
  refine,
  required,
  table,
  term,
  text,
} from '../codec/index.js'
import { importSupplierCode } from './identifiers.js'
import { ledger } from './ledger.js'
import { supplyAddressEntry, supplyType } from './supply.js'

const userDetail = table('user detail', {
  namespace: required(code(128, 'user_detail_namespace')),
  value: required(term(1024, inNames)),
})(`
  namespace: Kind of the detail, in the words of the platform; a customer has each kind once. Example: "fiscal_code"
  value: Value of the detail. For fiscal_code it is the Spanish tax number, with its check letter or digit. Example: "87654321X"
`)

/** A person or business of the account, with contact data. */
const customer = table('customer', {
  account_roles: optional(list(code(64, 'account_roles'))),
  user_details: optional(list(userDetail)),
  given_name: optional(text(255, inNames)),
  family_name: optional(text(255, inNames)),
  email: optional(email),
  mobile: optional(phone('mobile')),
  landline: optional(phone('landline')),
})(`
  account_roles: Parts that the person plays for this account. One customer of an account should be its ACCOUNT_HOLDER. Example: ["ACCOUNT_HOLDER"]
  user_details: Further facts about the person, such as tax number and single family names.
  given_name: Given name or names of the person. Example: "Joan"
  family_name: All family names, in the order in which they are used; required for domestic accounts. It is not defined where the name of a business stands. Example: "Ferrer Ibáñez"
  email: E-mail address of the customer's own, for messages of the supplier. Example: "joan.ferrer@example.org"
  mobile: Number of a mobile phone: national, or with + and the country code. Example: "600 000 456"
  landline: Number of a phone with a line: national, or with + and the country code. Example: "+34 930 00 04 56"
`)

const documentReference = table('document reference', { document_path: required(documentPath) })(`
  document_path: Place of one document that the note refers to, relative to the document root of the supplier. Example: "notes/LEV-E-000456/contrato.pdf"
`)

/** A remark of the supplier's staff about the account. */
export const note = table('note', {
  body: optional(maskedText(65_536)),
  document_paths: optional(list(documentReference)),
  created_at: optional(datetime),
  is_pinned: optional(boolean),
  unpin_at: optional(datetime),
})(`
  body: Text of the note, for staff. A note needs a body, documents or both. Example: "Solicita factura en papel."
  document_paths: Documents that belong to the note; they are stored elsewhere, and only their paths are sent.
  created_at: Time at which the note was written in the old system, in UTC. Left out, it is the time of the import. Example: "2024-11-05T09:30:00Z"
  is_pinned: Whether the note stays at the top of the account's page; left out, it does not. Example: true
  unpin_at: Time from which the note is no longer at the top, in UTC, not before created_at. It has an effect only if is_pinned is true. Example: "2025-11-05T09:30:00Z"
`)

/** A bill from before the migration. Both days of the billed period are inclusive. */
const accountStatement = table('account statement', {
  bill_period_from_date: required(date),
  bill_period_to_date: required(date),
  statement_path: optional(documentPath),
  statement_id: required(key(255)),
  supply_type: optional(supplyType),
})(`
  bill_period_from_date: First day that the bill covers. Example: "2025-04-01"
  bill_period_to_date: Last day that the bill covers, itself included. Example: "2025-04-30"
  statement_path: Place of the bill as a document, relative to the document root of the supplier. Example: "statements/LEV-E-000456/2025-04.pdf"
  statement_id: Identifier of the bill in the old system; no two bills of an account share one. Example: "LEV-E-F-2025-04"
  supply_type: Kind of energy that was billed. It is not defined how a bill for both is sent. Example: "ELECTRICITY"
`)

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

/** An agreement on regular payments of the customer. Both days are inclusive; `amount` is for each collection. */
export const paymentSchedule = table('payment schedule', {
  means: required(choice(means)),
  start_date: required(date),
  end_date: optional(date),
  trigger: optional(choice(triggers)),
  amount: optional(decimal({ whole: 8, decimals: 2, floor: 0 })),
  frequency: optional(choice(frequencies)),
  day_of_month: optional(dayOfMonth),
})(`
  means: Way in which the customer pays: by direct debit (DD), by card, by hand or by payment slip. Example: "DD"
  start_date: First day on which the schedule holds. Example: "2024-01-01"
  end_date: Last day on which the schedule holds, itself included. Left out, it holds until further notice. Example: "2024-12-31"
  trigger: Event that causes a collection, such as each bill (BILL) or a day of the calendar (REGULAR). Left out, it is REGULAR; the others are not defined. Example: "REGULAR"
  amount: Euros that each collection takes, never negative; a regular schedule has an amount above zero. Example: 60
  frequency: Time from one collection to the next; a regular schedule has it. Example: "MONTHLY"
  day_of_month: Day of the month on which a collection takes place; 29 to 31 are missing in some months. Example: 5
`)

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

const metadataItem = table('metadata item', {
  key: required(key(1024)),
  value: required(freeObject),
})(`
  key: Name of the entry; no two entries of an account share one. Example: "smart_meter"
  value: Any JSON object, kept as it is sent. The service reads nothing in it.
`)

const reference = table('reference', {
  namespace: required(key(50)),
  value: required(term(100, inNumbers)),
})(`
  namespace: System that the identifier comes from, in dotted form. Example: "levante.crm.contract"
  value: Identifier of the account in that system. Example: "C-771904"
`)

/** The account number in an account payload, where it may have conversion faults. */
const convertedAccountNumber = key(128, inNumbers)

/**
 * The payload of validate and stage. Whether customers are required depends on `unknown_occupier`, so a rule over the
 * account checks it.
 */
export const accountPayload = table('account', {
  import_supplier: required(importSupplierCode),
  external_account_number: required(convertedAccountNumber),
  account_type: optional(choice(accountTypes)),
  customers: optional(list(customer)),
  supply_addresses: optional(list(supplyAddressEntry)),
  notes: optional(list(note)),
  ledgers: optional(list(ledger)),
  payment_schedules: optional(list(paymentSchedule)),
  statements: optional(list(accountStatement)),
  metadata: optional(list(metadataItem)),
  references: optional(list(reference)),
  billing_name: optional(text(510, inNames)),
  billing_address1: optional(text(512, inNames)),
  billing_address2: optional(text(512, inNames)),
  billing_address3: optional(text(512, inNames)),
  billing_address4: optional(text(512, inNames)),
  billing_address5: optional(text(512, inNames)),
  billing_postcode: optional(text(512, inNames)),
  sales_channel: optional(code(128, 'sales_channel')),
  sales_subchannel: optional(text(255)),
  unknown_occupier: optional(boolean),
  communication_preference: optional(choice(['ONLINE', 'PRINT'] as const)),
})(`
  import_supplier: Code of the supplier that the account comes from, as the operator registered it. Example: "LEVANTE"
  external_account_number: Number of the account in the supplier's old system. With import_supplier it identifies the account, so one number is one account. Example: "LEV-E-000456"
  account_type: Kind of account. Left out, it is DOMESTIC. Example: "DOMESTIC"
  customers: People or businesses of the account; at least one, unless unknown_occupier is true.
  supply_addresses: Places where the account is supplied with energy, each with its supply points.
  notes: Remarks of the old system's staff about the account.
  ledgers: Balances of the account, each with the transactions that lead to it.
  payment_schedules: Agreements on how the customer pays; their days do not overlap.
  statements: Bills from before the migration.
  metadata: Facts about the account for which there is no field.
  references: Identifiers of the account in other systems.
  billing_name: Name that bills are addressed to. Example: "Joan Ferrer Ibáñez"
  billing_address1: First line of the postal address that bills go to. Example: "Avinguda de la Font 45"
  billing_address2: Second line of that address. Example: "4.º 1.ª"
  billing_address3: Third line of that address. Example: "Ciutat Vella"
  billing_address4: Fourth line of that address. Example: "Barcelona"
  billing_address5: Fifth line of that address. Example: "Barcelona"
  billing_postcode: Postal code of that address, with leading zeros. Its form is not checked, because no field names the country. Example: "08001"
  sales_channel: Way in which the supplier won the customer. Left out, it is DIRECT. Example: "PARTNERSHIPS"
  sales_subchannel: Detail of the sales channel, such as the name of a partner. Example: "Comparador Norte"
  unknown_occupier: Whether nobody knows the person who uses the supply; true only for an account without customers. Left out, it is false. Example: false
  communication_preference: Way in which the customer wants to get messages. Left out, it is ONLINE. Example: "PRINT"
`)

/**
 * An account payload that was read and checked, without defaults, every field as sent; dates and the like have types that only
 * the codec makes. To write a payload, use `AccountToSend`: its dates are plain texts.
 */
export type AccountPayload = TypeOf<typeof accountPayload>

/**
 * A payload to send: dates, instants and the like are plain texts, and the service checks them. Any type with these fields is
 * assignable; a misspelt field in a literal does not compile.
 */
export type Sendable<Payload> = Payload extends string
  ? // A record has fields only for listed texts; for any text, marked as a date or not, it has none.
    Record<never, never> extends Record<Payload, unknown>
    ? string
    : Payload
  : Payload extends object
    ? { readonly [Field in keyof Payload]: Sendable<Payload[Field]> }
    : Payload
