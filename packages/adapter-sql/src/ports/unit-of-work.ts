import {
  type Accounts,
  type LockableAccounts,
  portFailure,
  type PortFailure,
  type TransactionalStores,
  type UnitOfWork,
} from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import type { Knex } from 'knex'
import { failureKind, isAway, retryReasonOf, sqlPort } from '../sql/failures.js'
import { type Db, transactionSession } from '../sql/session.js'
import { sqlAccountImports } from './account-imports.js'
import { sqlAccountAdditions } from './account-additions.js'
import { sqlAccounts } from './accounts.js'
import { sqlAuditRecord } from './audit-trail.js'
import { type Hooks, type HookTransaction, refusedBy } from './hooks.js'
import { sqlKeyedWork } from './idempotency-records.js'
import { sqlOutbox } from './outbox.js'

type Creates = Required<Pick<Accounts, 'create'>>
type TellsOfItems = Required<Pick<LockableAccounts, 'itemsAdded'>>

/** The operations of `accounts` that call hooks by `trx`, and note their failures. */
const hookPorts = (
  { onAccountsCreated, onItemsAdded }: Hooks,
  trx: Knex | undefined,
  note: (cause: unknown) => void,
) => {
  const noting = async <A>(call: () => Promise<A>): Promise<A> => {
    try {
      return await call()
    } catch (cause) {
      note(cause)
      throw cause
    }
  }
  return {
    ...(trx &&
      onAccountsCreated &&
      sqlPort<Creates>('onAccountsCreated', {
        create: (accounts) => noting(() => onAccountsCreated(trx, accounts)),
      })),
    ...(onItemsAdded &&
      sqlPort<TellsOfItems>('onItemsAdded', {
        itemsAdded: async ({ key, platformAccountNumber }, items) => {
          const changed = { key, platformAccountNumber, items }
          const refused = await noting(() => refusedBy(onItemsAdded, trx, [changed]))
          return refused.size === 0 ? 'agreed' : 'refused_by_platform'
        },
      })),
  }
}

type Work<Refused, A> = (stores: TransactionalStores) => Promise<Either<Refused, A>>

/** Thrown for a Left of the work, because Knex rolls a transaction back when its work throws. */
class RolledBack<Refused> extends Error {
  readonly refused: Either<Refused, never>
  constructor(refused: Refused) {
    super('The unit of work was refused')
    this.refused = E.left(refused)
  }
}

/**
 * Runs the work once. After a failed statement the work is retried or fails, regardless of its own result, and is never
 * committed: the database may have rolled back a part of it already.
 */
const runOnce = async <Refused, A>(
  db: Db,
  work: Work<Refused, A>,
  hooks: Hooks,
  trx: Knex | undefined,
): Promise<A> => {
  const failures: unknown[] = []
  const note = (cause: unknown): void => void failures.push(cause)
  const session = transactionSession(db, note)
  const result = await work({
    accountImports: sqlAccountImports(session),
    accounts: { ...sqlAccounts(session), ...hookPorts(hooks, trx, note) },
    ...sqlAccountAdditions(session),
    auditTrail: sqlAuditRecord(session),
    keyedWork: sqlKeyedWork(session),
    outbox: sqlOutbox(session),
  })
  const again = failures.find((cause) => retryReasonOf(cause) !== undefined)
  if (again !== undefined) throw again
  if (E.isLeft(result)) throw new RolledBack(result.left)
  if (failures.length > 0) throw failures[0]
  return result.right
}

const asFailure = (cause: unknown): PortFailure => {
  const failure = portFailure(failureKind(cause), 'unitOfWork', 'run', cause)
  return failure.kind === 'unavailable' && !isAway(cause) ? { ...failure, ofSomeRows: true } : failure
}

/**
 * `Accounts.create`, which tells the embedding program of new accounts: outside a unit of work in a transaction of its own. Its
 * presence makes the use cases claim accounts before they create them.
 */
export const sqlCreate = (inTransaction: HookTransaction, { onAccountsCreated }: Hooks): Partial<Creates> =>
  onAccountsCreated === undefined
    ? {}
    : sqlPort<Creates>('onAccountsCreated', {
        create: (accounts) =>
          inTransaction(accounts[0]?.key.organisation ?? '', async (_db, trx) => {
            if (trx !== undefined) await onAccountsCreated(trx, accounts)
          }),
      })

/** Units of work as transactions of the database. */
export const sqlUnitOfWork = (inTransaction: HookTransaction, hooks: Hooks): UnitOfWork => ({
  run: async <Refused, A>(
    organisation: string,
    work: Work<Refused, A>,
  ): Promise<Either<Refused | PortFailure, A>> => {
    try {
      return E.right(await inTransaction(organisation, (db, trx) => runOnce(db, work, hooks, trx)))
    } catch (cause) {
      return cause instanceof RolledBack ? (cause as RolledBack<Refused>).refused : E.left(asFailure(cause))
    }
  },
})
