import type { Account, AccountDetails, AccountKey } from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import type { View } from './view.js'

/** The locked account. */
export const existing = (view: View, key: AccountKey): Account => {
  const account = view.get('accounts', accountKeyText(key))
  if (account === undefined) throw new Error('there is no account for the key')
  return account
}

/** Stores the additions to an account. */
export const changeDetails = (view: View, account: Account, changed: Partial<AccountDetails>): void => {
  const name = accountKeyText(account.key)
  view.put('accounts', name, { ...account, details: { ...account.details, ...changed } })
  view.put('additions', name, (view.get('additions', name) ?? 0) + 1)
}
