// Written by `npm run docs:generate` from the codec. Change the codec, not this file.
import type { Part } from '../../codec/quick/part.js'
import type { Reading } from '../../codec/quick/reading.js'
import { inheritsNothing } from '../../codec/json-object.js'
import { isPlainKey, isPlainText } from '../../codec/quick/plain-text.js'
import { childOf, isMember, readSilently } from '../../codec/quick/by-part.js'
import { isPlainCode } from '../../codec/quick/by-settings.js'
import { countInOrder, isShortList } from '../../codec/quick/holders.js'
import { isCustomer } from './customer.js'
import { isSupplyAddressEntry } from './supply-address-entry.js'
import { isNote } from './note.js'
import { isLedger } from './ledger.js'
import { isPaymentSchedule } from './payment-schedule.js'
import { isAccountStatement } from './account-statement.js'
import { isMetadataItem } from './metadata-item.js'
import { isReference } from './reference.js'

const areCustomers = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isCustomer(item, each, reading)) return false
  }
  return true
}

const areSupplyAddresses = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isSupplyAddressEntry(item, each, reading)) return false
  }
  return true
}

const areNotes = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isNote(item, each, reading)) return false
  }
  return true
}

const areLedgers = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isLedger(item, each, reading)) return false
  }
  return true
}

const arePaymentSchedules = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isPaymentSchedule(item, each, reading)) return false
  }
  return true
}

const areStatements = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isAccountStatement(item, each, reading)) return false
  }
  return true
}

const areMetadata = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isMetadataItem(item, each, reading)) return false
  }
  return true
}

const areReferences = (value: unknown, part: Part, reading: Reading): boolean => {
  if (!isShortList(value)) return false
  const each = childOf(part, 0)
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (!isReference(item, each, reading)) return false
  }
  return true
}

const names = ['import_supplier', 'external_account_number', 'account_type', 'customers', 'supply_addresses', 'notes', 'ledgers', 'payment_schedules', 'statements', 'metadata', 'references', 'billing_name', 'billing_address1', 'billing_address2', 'billing_address3', 'billing_address4', 'billing_address5', 'billing_postcode', 'sales_channel', 'sales_subchannel', 'unknown_occupier', 'communication_preference'] as const

type Sent = Readonly<Partial<Record<(typeof names)[number], unknown>>>

/** Whether a value surely is a whole account, with fields in table order and none unknown. */
export const isAccount = (object: unknown, part: Part, reading: Reading): boolean => {
  const count = countInOrder(object, names)
  if (count < 2) return false
  const { import_supplier, external_account_number, account_type, customers, supply_addresses, notes, ledgers, payment_schedules, statements, metadata, references, billing_name, billing_address1, billing_address2, billing_address3, billing_address4, billing_address5, billing_postcode, sales_channel, sales_subchannel, unknown_occupier, communication_preference } = object as Sent
  return (
    count === 2 + (account_type === undefined ? 0 : 1) + (customers === undefined ? 0 : 1) + (supply_addresses === undefined ? 0 : 1) + (notes === undefined ? 0 : 1) + (ledgers === undefined ? 0 : 1) + (payment_schedules === undefined ? 0 : 1) + (statements === undefined ? 0 : 1) + (metadata === undefined ? 0 : 1) + (references === undefined ? 0 : 1) + (billing_name === undefined ? 0 : 1) + (billing_address1 === undefined ? 0 : 1) + (billing_address2 === undefined ? 0 : 1) + (billing_address3 === undefined ? 0 : 1) + (billing_address4 === undefined ? 0 : 1) + (billing_address5 === undefined ? 0 : 1) + (billing_postcode === undefined ? 0 : 1) + (sales_channel === undefined ? 0 : 1) + (sales_subchannel === undefined ? 0 : 1) + (unknown_occupier === undefined ? 0 : 1) + (communication_preference === undefined ? 0 : 1) &&
    inheritsNothing(object as Sent) &&
    (isPlainKey(import_supplier, 32) || readSilently(childOf(part, 0), import_supplier, reading)) &&
    (isPlainKey(external_account_number, 128) || readSilently(childOf(part, 1), external_account_number, reading)) &&
    (account_type === undefined || (isMember(childOf(part, 2), account_type) || readSilently(childOf(part, 2), account_type, reading))) &&
    (customers === undefined || areCustomers(customers, childOf(part, 3), reading)) &&
    (supply_addresses === undefined || areSupplyAddresses(supply_addresses, childOf(part, 4), reading)) &&
    (notes === undefined || areNotes(notes, childOf(part, 5), reading)) &&
    (ledgers === undefined || areLedgers(ledgers, childOf(part, 6), reading)) &&
    (payment_schedules === undefined || arePaymentSchedules(payment_schedules, childOf(part, 7), reading)) &&
    (statements === undefined || areStatements(statements, childOf(part, 8), reading)) &&
    (metadata === undefined || areMetadata(metadata, childOf(part, 9), reading)) &&
    (references === undefined || areReferences(references, childOf(part, 10), reading)) &&
    (billing_name === undefined || (isPlainText(billing_name, 510) || readSilently(childOf(part, 11), billing_name, reading))) &&
    (billing_address1 === undefined || (isPlainText(billing_address1, 512) || readSilently(childOf(part, 12), billing_address1, reading))) &&
    (billing_address2 === undefined || (isPlainText(billing_address2, 512) || readSilently(childOf(part, 13), billing_address2, reading))) &&
    (billing_address3 === undefined || (isPlainText(billing_address3, 512) || readSilently(childOf(part, 14), billing_address3, reading))) &&
    (billing_address4 === undefined || (isPlainText(billing_address4, 512) || readSilently(childOf(part, 15), billing_address4, reading))) &&
    (billing_address5 === undefined || (isPlainText(billing_address5, 512) || readSilently(childOf(part, 16), billing_address5, reading))) &&
    (billing_postcode === undefined || (isPlainText(billing_postcode, 512) || readSilently(childOf(part, 17), billing_postcode, reading))) &&
    (sales_channel === undefined || (isPlainCode(sales_channel, 128, 'sales_channel', reading) || readSilently(childOf(part, 18), sales_channel, reading))) &&
    (sales_subchannel === undefined || (isPlainText(sales_subchannel, 255) || readSilently(childOf(part, 19), sales_subchannel, reading))) &&
    (unknown_occupier === undefined || (typeof unknown_occupier === 'boolean' || readSilently(childOf(part, 20), unknown_occupier, reading))) &&
    (communication_preference === undefined || (communication_preference === 'ONLINE' || communication_preference === 'PRINT' || readSilently(childOf(part, 21), communication_preference, reading)))
  )
}
