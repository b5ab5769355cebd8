import type { AccountPaymentInstruction } from '@account-import/core'
import type { RowKey } from './account-row-key.js'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import { jsonColumn } from './json-column.js'
import type { NewRow } from './row.js'
import { objectOf, optional, text } from './shapes.js'

export type PaymentInstructionRow = RowKey &
  Readonly<{
    vendor: string
    reference: string
    type: string
    details: string
    created_at: string
  }>

const details = jsonColumn(
  'payment_instructions.details',
  objectOf<AccountPaymentInstruction['details']>({
    brand: optional(text),
    last4: optional(text),
    expiry: optional(text),
    method: optional(text),
    country: optional(text),
    customerId: optional(text),
    mandateId: optional(text),
    status: optional(text),
  }),
)

export const paymentInstructionRow = (
  instruction: AccountPaymentInstruction,
  key: RowKey,
): NewRow<PaymentInstructionRow> => ({
  ...key,
  vendor: instruction.vendor,
  reference: instruction.reference,
  type: instruction.type,
  details: details.toText(instruction.details),
  created_at: toSqlInstant(instruction.created_at),
})

export const paymentInstructionOf = (row: PaymentInstructionRow): AccountPaymentInstruction => ({
  vendor: row.vendor,
  reference: row.reference,
  type: row.type,
  details: details.fromText(row.details),
  created_at: fromSqlInstant(row.created_at),
})
