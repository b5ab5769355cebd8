import type { Account, AccountDetails } from '@account-import/core'
import { aFullAccount } from '@account-import/core/contract-tests'
import { keyOf } from './imports.js'

/** An account of the number; without details of its own it uses every field. */
export const accountOf = (
  externalAccountNumber: string,
  platformAccountNumber: string,
  details?: AccountDetails,
): Account => {
  const full = aFullAccount(keyOf(externalAccountNumber))
  return { ...full, platformAccountNumber, details: details ?? full.details }
}
