import type { Accounts, LockableAccounts } from '@account-import/core'
import { sqlPortCall } from '../failures/sql-port-call.js'
import type { Session } from '../session/session.js'
import { createAccounts } from './create-accounts.js'
import { findAccount } from './find-account.js'
import { lockAccount } from './lock-account.js'

const call = sqlPortCall('accounts')

export const sqlAccounts = (session: Session): Accounts => ({
  create: (accounts) => call('create', () => createAccounts(session, accounts)),
  find: (key) => call('find', () => session.run((db) => findAccount(db, session.dataKeys, key))),
})

/** In a transaction, which keeps the locks until it ends. */
export const sqlLockableAccounts = (session: Session): LockableAccounts => ({
  ...sqlAccounts(session),
  lock: (key) => call('lock', () => session.together((db) => lockAccount(db, key))),
})
