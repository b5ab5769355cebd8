import { accountKeyText, type AccountKey } from '../domain/account-key.js'
import type { Account } from '../domain/account.js'
import type { Tables } from './memory.js'

/** The account that was locked. */
export const existingAccount = (tables: Tables, key: AccountKey): Account => {
  const account = tables.accounts.get(accountKeyText(key))
  if (account === undefined) throw new Error('there is no account for the key')
  return account
}
