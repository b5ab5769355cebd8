import type { Any, TypeOf } from 'io-ts'
import type { LocalDate } from '../values/local-date.js'
import type * as account from './account.js'
import type * as ledger from './ledger.js'
import type * as requests from './requests.js'
import type * as supply from './supply.js'

// The build writes each type of this file as an interface with the meaning of each field (scripts/describe-types.mjs).

/** The object of a codec with its days as another type. */
type Sent<Of extends Any, Day> = WithDays<TypeOf<Of>, Day>

type WithDays<Value, Day> = Value extends LocalDate
  ? Day
  : Value extends object
    ? { readonly [Field in keyof Value]: WithDays<Value[Field], Day> }
    : Value

/** An account as its sender writes it: the `payload` of `validateAccount` and `stageAccount`. */
export type AccountToSend<Day = string> = Sent<typeof account.accountPayload, Day>
export type CustomerToSend = Sent<typeof account.customer, string>
export type UserDetailToSend = Sent<typeof account.userDetail, string>
export type NoteToSend = Sent<typeof account.note, string>
export type DocumentReferenceToSend = Sent<typeof account.documentReference, string>
export type AccountStatementToSend<Day = string> = Sent<typeof account.accountStatement, Day>
export type PaymentScheduleToSend<Day = string> = Sent<typeof account.paymentSchedule, Day>
export type MetadataItemToSend = Sent<typeof account.metadataItem, string>
export type ReferenceToSend = Sent<typeof account.reference, string>

export type LedgerToSend<Day = string> = Sent<typeof ledger.ledger, Day>
export type TransactionToSend<Day = string> = Sent<typeof ledger.transaction, Day>
export type LineItemToSend<Day = string> = Sent<typeof ledger.lineItem, Day>
export type TaxItemToSend = Sent<typeof ledger.taxItem, string>

export type SupplyAddressEntryToSend<Day = string> = Sent<typeof supply.supplyAddressEntry, Day>
export type SupplyAddressToSend = Sent<typeof supply.supplyAddress, string>
export type StructuredStreetAddressToSend = Sent<typeof supply.structuredStreetAddress, string>
export type SupplyPointToSend<Day = string> = Sent<typeof supply.supplyPoint, Day>
export type AtrTariffToSend<Day = string> = Sent<typeof supply.atrTariff, Day>
export type AgreementToSend<Day = string> = Sent<typeof supply.agreement, Day>
export type ReadingToSend = Sent<typeof supply.reading, string>
export type BillableItemToSend<Day = string> = Sent<typeof supply.billableItem, Day>

export type HistoricalStatementToSend<Day = string> = Sent<typeof requests.historicalStatement, Day>
/** A transaction of a request to add some, as its sender writes it. */
export type TransactionToAddToSend<Day = string> = Sent<typeof requests.transactionToAdd, Day>
