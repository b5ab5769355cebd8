import type { EchoedAccount, FieldError } from '@account-import/core'
import * as t from 'io-ts'
import type { Answer } from '../answer.js'

/** The account as accepted: the fields that were sent and are known; transaction amounts as text. */
export const echoedAccount = t.UnknownRecord

export const echoedAccountAnswer = (
  valid: Readonly<{ account: EchoedAccount; warnings: readonly FieldError[] }>,
): Answer<EchoedAccount> => ({ status: 200, body: valid.account, warnings: valid.warnings })
