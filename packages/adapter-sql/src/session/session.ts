import type { Knex } from 'knex'
import type { DataKeys } from '../encryption/data-keys.js'
import { DatabaseError } from '../drivers/database-error.js'
import { dialectOf } from '../dialects/dialect-of.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { onConnection } from './on-connection.js'
import { plainTransaction } from './plain-transaction.js'
import { withRetries, type OnRetry } from '../failures/retry.js'
import type { Statements } from './statements.js'

type Work<A> = (db: Knex) => Promise<A>

/** Work of one kind that waited at the same time and goes to the database together. */
export type Batch = Readonly<{ work: 'stage' | 'claim' | 'read'; size: number }>

/** Told of every batch, for counters. */
export type OnBatch = (batch: Batch) => void

/**
 * Where a store's statements run: each operation for itself on the pool, or all of them inside one unit of work.
 * The stores are written once, against this.
 */
export type Session = Readonly<{
  dialect: SqlDialect
  /** What rows are encrypted with. */
  dataKeys: DataKeys
  /** Told of work that was joined; inside a unit of work, where nothing waits for its like, nobody is. */
  onBatch?: OnBatch | undefined
  /** Runs an operation whose statements need no transaction of their own. */
  run<A>(work: Work<A>): Promise<A>
  /** Runs statements that belong together: in a transaction of their own, or in that of the unit of work. */
  together<A>(work: Work<A>): Promise<A>
  /** As `run`, for statements that are written out: they are spared the cost of a query builder. */
  directly<A>(work: (db: Statements) => Promise<A>): Promise<A>
  /** As `together`, for work that needs no query builder: it is spared the cost of one. */
  plainly<A>(work: (db: Statements) => Promise<A>): Promise<A>
  /** As `together`, and what the work throws undoes just this work, not the unit of work. */
  undoable<A>(work: Work<A>): Promise<A>
}>

/** Operations on the pool; what the database asks to be run again is run again from its beginning. */
export const poolSession = (knex: Knex, dataKeys: DataKeys, onRetry: OnRetry, onBatch?: OnBatch): Session => {
  const inTransaction = <A>(work: Work<A>): Promise<A> => withRetries(() => knex.transaction(work), onRetry)
  return {
    dialect: dialectOf(knex),
    dataKeys,
    onBatch,
    run: (work) => withRetries(() => work(knex), onRetry),
    together: inTransaction,
    directly: (work) => withRetries(() => onConnection(knex, work), onRetry),
    plainly: (work) => withRetries(() => plainTransaction(knex, work), onRetry),
    undoable: inTransaction,
  }
}

/**
 * Operations inside a transaction. After a failed statement the database may have ended the transaction, or kept
 * half of an operation: `onFailure` is told, so that such a unit of work is never committed.
 */
export const transactionSession = (
  trx: Knex,
  dataKeys: DataKeys,
  onFailure: (cause: unknown) => void,
): Session => {
  const noting = async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      return await work()
    } catch (cause) {
      onFailure(cause)
      throw cause
    }
  }
  return {
    dialect: dialectOf(trx),
    dataKeys,
    run: (work) => noting(() => work(trx)),
    together: (work) => noting(() => work(trx)),
    directly: (work) => noting(() => onConnection(trx, work)),
    plainly: (work) => noting(() => onConnection(trx, work)),
    undoable: async (work) => {
      try {
        return await trx.transaction(work)
      } catch (cause) {
        if (cause instanceof DatabaseError) onFailure(cause)
        throw cause
      }
    },
  }
}
