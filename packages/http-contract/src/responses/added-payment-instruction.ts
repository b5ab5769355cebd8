import type { FieldError } from '@account-import/core'
import * as t from 'io-ts'
import type { Answer } from '../answer.js'

export const addedPaymentInstruction = t.type(
  { platform_account_number: t.string, reference: t.string },
  'AddedPaymentInstruction',
)
export type AddedPaymentInstruction = t.TypeOf<typeof addedPaymentInstruction>

/** The same for an instruction that the account had already. */
export const addedPaymentInstructionAnswer = (
  added: Readonly<{ platformAccountNumber: string; reference: string; warnings: readonly FieldError[] }>,
): Answer<AddedPaymentInstruction> => ({
  status: 201,
  body: { platform_account_number: added.platformAccountNumber, reference: added.reference },
  warnings: added.warnings,
})
