import type { FieldError } from '@account-import/core'
import * as t from 'io-ts'
import type { Answer } from '../answer.js'

export const createdAccount = t.type({ platform_account_number: t.string }, 'CreatedAccount')
export type CreatedAccount = t.TypeOf<typeof createdAccount>

export const createdAccountAnswer = (
  created: Readonly<{ platformAccountNumber: string; warnings: readonly FieldError[] }>,
): Answer<CreatedAccount> => ({
  status: 201,
  body: { platform_account_number: created.platformAccountNumber },
  warnings: created.warnings,
})
