import {
  portCall,
  type Account,
  type Accounts,
  type LockableAccounts,
  type LockedAccount,
  storedPageOf,
} from '@account-import/core'
import { accountKeyText } from '@account-import/core/adapter-kit'
import { registerNotes } from './account-notes.js'
import { isErased } from './is-erased.js'
import { oneMore, pageOf } from './pages.js'
import type { Access } from './turns.js'
import type { View } from './view.js'

const call = portCall('accounts')

const insert = (view: View, account: Account): void => {
  const key = accountKeyText(account.key)
  view.insert('accounts', key, account)
  view.insert('numbers', account.platformAccountNumber, key)
  registerNotes(view, account)
}

export const accounts = ({ read, change }: Access): Accounts => ({
  create: (created) =>
    call('create', () => change((view) => created.forEach((account) => insert(view, account)))),
  find: (key) => call('find', () => read((view) => view.get('accounts', accountKeyText(key)))),
  page: (request) =>
    call('page', () =>
      read((view) =>
        storedPageOf(
          pageOf(view.rows('accounts'), oneMore(request)).map((account) => ({
            account,
            additions: view.get('additions', accountKeyText(account.key)) ?? 0,
          })),
          request.limit,
          ({ account }) => JSON.stringify(account.details).length,
        ),
      ),
    ),
})

/** Units of work run one after the other, so each has every account locked from its beginning. */
export const lockableAccounts = (access: Access): LockableAccounts => ({
  ...accounts(access),
  lock: (key) =>
    call('lock', () =>
      access.read((view) => {
        const account = view.get('accounts', accountKeyText(key))
        if (isErased(view.get('imports', accountKeyText(key)))) return undefined
        return account && ({ key, platformAccountNumber: account.platformAccountNumber } as LockedAccount)
      }),
    ),
})
