import {
  type Account,
  type Accounts,
  portFailure,
  type PortFailure,
  type TransactionalStores,
  type UnitOfWork,
} from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import type { Knex } from 'knex'
import { failureKind, isAway, type OnRetry, retryReasonOf, sqlPort, withRetries } from '../sql/failures.js'
import { type Db, onConnection, type Session, transactionSession } from '../sql/session.js'
import { sqlAccountImports } from './account-imports.js'
import { sqlAccountAdditions } from './account-additions.js'
import { sqlAccounts } from './accounts.js'
import { sqlAuditRecord } from './audit-trail.js'
import { sqlKeyedWork } from './idempotency-records.js'
import { sqlOutbox } from './outbox.js'

/**
 * Writes to tables of the embedding program in the transaction that creates the accounts: only by `trx`, and again at each retry
 * of the transaction. When it throws, nothing is created.
 */
export type OnAccountsCreated = (trx: Knex, accounts: readonly Account[]) => Promise<void>

type Told = (accounts: readonly Account[]) => Promise<void>

const createPort = (create: Told): Required<Pick<Accounts, 'create'>> =>
  sqlPort<Required<Pick<Accounts, 'create'>>>('onAccountsCreated', { create })

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
const runOnce = async <Refused, A>(db: Db, work: Work<Refused, A>, onCreated?: Told): Promise<A> => {
  const failures: unknown[] = []
  const note = (cause: unknown): void => void failures.push(cause)
  const session = transactionSession(db, note)
  const tell = async (told: Told, accounts: readonly Account[]): Promise<void> => {
    try {
      await told(accounts)
    } catch (cause) {
      note(cause)
      throw cause
    }
  }
  const result = await work({
    accountImports: sqlAccountImports(session),
    accounts: {
      ...sqlAccounts(session),
      ...(onCreated && createPort((accounts) => tell(onCreated, accounts))),
    },
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
export const sqlCreate = (
  knex: Knex,
  onRetry: OnRetry,
  onAccountsCreated: OnAccountsCreated,
): Required<Pick<Accounts, 'create'>> =>
  createPort((accounts) =>
    withRetries(() => knex.transaction((trx) => onAccountsCreated(trx, accounts)), onRetry),
  )

/** Units of work as transactions of the database. Knex makes them only where the embedding program writes by a Knex too. */
export const sqlUnitOfWork = (
  knex: Knex,
  pool: Session,
  onRetry: OnRetry,
  onAccountsCreated?: OnAccountsCreated,
): UnitOfWork => {
  const inTransaction = <Refused, A>(work: Work<Refused, A>): Promise<A> =>
    onAccountsCreated === undefined
      ? pool.transaction((db) => runOnce(db, work))
      : withRetries(
          () =>
            knex.transaction((trx) =>
              onConnection(trx, pool, (db) =>
                runOnce(db, work, (created) => onAccountsCreated(trx, created)),
              ),
            ),
          onRetry,
        )
  return {
    run: async <Refused, A>(work: Work<Refused, A>): Promise<Either<Refused | PortFailure, A>> => {
      try {
        return E.right(await inTransaction(work))
      } catch (cause) {
        return cause instanceof RolledBack ? (cause as RolledBack<Refused>).refused : E.left(asFailure(cause))
      }
    },
  }
}
