import { accountKeyText } from '../domain/account-key.js'
import type { Account } from '../domain/account.js'
import type { Accounts, LockableAccounts, LockedAccount } from '../ports/accounts.js'
import { portCall } from '../ports/port-failure.js'
import { registerNotes } from './additions.js'
import { isErased } from './import-rows.js'
import type { Memory, Tables } from './memory.js'

const call = portCall('accounts')

const insert = (tables: Tables, account: Account): void => {
  const key = accountKeyText(account.key)
  const number = account.platformAccountNumber
  if (tables.accounts.get(key) !== undefined) throw new Error('an account exists for the key')
  if (tables.accountNumbers.get(number) !== undefined) throw new Error('the platform account number is taken')
  tables.accounts.set(key, account)
  tables.accountNumbers.set(number, key)
  registerNotes(tables, account)
}

const find =
  (tables: Tables): Accounts['find'] =>
  (key) =>
    call('find', async () => tables.accounts.get(accountKeyText(key)))

export const inMemoryAccounts = (memory: Memory): Accounts => ({
  create: (accounts) =>
    call('create', () => memory.change((tables) => accounts.forEach((account) => insert(tables, account)))),
  find: find(memory.tables),
})

/** Units of work run one after the other, so each has every account locked. */
export const accountsWithin = (tables: Tables): LockableAccounts => ({
  create: (accounts) => call('create', async () => accounts.forEach((account) => insert(tables, account))),
  find: find(tables),
  lock: (key) =>
    call('lock', async () => {
      const account = tables.accounts.get(accountKeyText(key))
      if (isErased(tables.imports.get(accountKeyText(key)))) return undefined
      return account && ({ key, platformAccountNumber: account.platformAccountNumber } as LockedAccount)
    }),
})
