import { accountKeyText } from '../domain/account-key.js'
import type { Account } from '../domain/account.js'
import type { Accounts } from '../ports/accounts.js'
import { portCall } from '../ports/port-failure.js'
import type { Memory, Tables } from './memory.js'

const call = portCall('accounts')

const insert = (tables: Tables, account: Account): void => {
  const key = accountKeyText(account.key)
  const number = account.platformAccountNumber
  if (tables.accounts.get(key) !== undefined) throw new Error('an account exists for the key')
  if (tables.accountNumbers.get(number) !== undefined) throw new Error('the platform account number is taken')
  tables.accounts.set(key, account)
  tables.accountNumbers.set(number, key)
}

const find =
  (tables: Tables): Accounts['find'] =>
  (key) =>
    call('find', async () => tables.accounts.get(accountKeyText(key)))

export const inMemoryAccounts = (memory: Memory): Accounts => ({
  create: (accounts) =>
    call('create', () =>
      memory.exclusive(
        async (tables) => accounts.forEach((account) => insert(tables, account)),
        () => true,
      ),
    ),
  find: find(memory.tables),
})

export const accountsWithin = (tables: Tables): Accounts => ({
  create: (accounts) => call('create', async () => accounts.forEach((account) => insert(tables, account))),
  find: find(tables),
})
