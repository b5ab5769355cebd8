import type { AccountDetails, AccountPayload, Instant } from '@account-import/core'
import { accountFromPayload } from '@account-import/core/adapter-kit'
import { instantOf } from '@account-import/core'

type Key = Readonly<{ import_supplier: string; external_account_number: string }>

const parsed = (payload: string): AccountPayload | undefined => {
  try {
    return JSON.parse(payload) as AccountPayload
  } catch {
    // The error of the parser quotes the text.
    return undefined
  }
}

/**
 * What an account consists of that was created then from staged data, or what is wrong with the data. It was validated
 * when it was staged; here it only has to be an account.
 */
export const stagedDetails = (
  payload: string,
  key: Key,
  createdAt: Instant = instantOf(0),
): AccountDetails | 'staged_data_unreadable' | 'staged_data_of_another' => {
  const account = parsed(payload)
  if (typeof account !== 'object' || account === null) return 'staged_data_unreadable'
  const isSame =
    account.import_supplier === key.import_supplier &&
    account.external_account_number === key.external_account_number
  if (!isSame) return 'staged_data_of_another'
  try {
    return accountFromPayload(account, createdAt)
  } catch (cause) {
    if (cause instanceof TypeError) return 'staged_data_unreadable'
    throw cause
  }
}
