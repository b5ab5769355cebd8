import type { AccountPaymentInstruction } from '@account-import/core'
import type { Place } from './account-row-key.js'
import { fromSqlInstant, toSqlInstant } from './instants.js'
import { fromJson, toJson } from './json.js'
import type { Row } from './row.js'

export type PaymentInstructionRow = Readonly<{
  ordinal: number
  vendor: string
  reference: string
  type: string
  details: string
  created_at: string
}>

export const paymentInstructionRow = (instruction: AccountPaymentInstruction, place: Place): Row => ({
  ...place,
  vendor: instruction.vendor,
  reference: instruction.reference,
  type: instruction.type,
  details: toJson(instruction.details),
  created_at: toSqlInstant(instruction.created_at),
})

export const paymentInstructionOf = (row: PaymentInstructionRow): AccountPaymentInstruction => ({
  vendor: row.vendor,
  reference: row.reference,
  type: row.type,
  details: fromJson<AccountPaymentInstruction['details']>(row.details),
  created_at: fromSqlInstant(row.created_at),
})
