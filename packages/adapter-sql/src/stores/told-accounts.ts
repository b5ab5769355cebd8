import type { Account, LockableAccounts } from '@account-import/core'
import { pipe, TE } from '@account-import/core/adapter-kit'
import type { Knex } from 'knex'
import { sqlPortCall } from '../failures/sql-port-call.js'

/**
 * Writes to tables of the embedding program in the transaction that creates the accounts: by `trx` alone, and as often as the transaction
 * is run. When it throws, nothing is created.
 */
export type OnAccountsCreated = (trx: Knex, accounts: readonly Account[]) => Promise<void>

const call = sqlPortCall('onAccountsCreated')

/** The store of a unit of work, which tells of each account that it created before the transaction ends. */
export const toldAccounts = (
  accounts: LockableAccounts,
  trx: Knex,
  onCreated: OnAccountsCreated,
): LockableAccounts => ({
  ...accounts,
  create: (created) =>
    pipe(
      accounts.create(created),
      TE.flatMap(() => call('create', () => onCreated(trx, created))),
    ),
})
