import type { Knex } from 'knex'
import type { DataKeys } from '../encryption/data-keys.js'
import { dialectOf } from '../dialects/dialect-of.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { onConnection } from './on-connection.js'
import { plainTransaction } from './plain-transaction.js'
import { withRetries, type OnRetry } from '../failures/retry.js'
import type { Statements } from './statements.js'

type Work<A> = (db: Statements) => Promise<A>

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
  /** Runs statements that need no transaction of their own, on a connection of the pool or that of the unit of work. */
  query<A>(work: Work<A>): Promise<A>
  /** Runs statements that belong together: in a transaction of their own, or in that of the unit of work. */
  transaction<A>(work: Work<A>): Promise<A>
}>

/** Operations on the pool; what the database asks to be run again is run again from its beginning. */
export const poolSession = (
  knex: Knex,
  dataKeys: DataKeys,
  onRetry: OnRetry,
  onBatch?: OnBatch,
): Session => ({
  dialect: dialectOf(knex),
  dataKeys,
  onBatch,
  query: (work) => withRetries(() => onConnection(knex, work), onRetry),
  transaction: (work) => withRetries(() => plainTransaction(knex, work), onRetry),
})

/**
 * Operations inside a transaction. After a failed statement the database may have ended the transaction, or kept
 * half of an operation: `onFailure` is told, so that such a unit of work is never committed.
 */
export const transactionSession = (
  trx: Knex,
  dataKeys: DataKeys,
  onFailure: (cause: unknown) => void,
): Session => {
  const noting = async <A>(work: Work<A>): Promise<A> => {
    try {
      return await onConnection(trx, work)
    } catch (cause) {
      onFailure(cause)
      throw cause
    }
  }
  return { dialect: dialectOf(trx), dataKeys, query: noting, transaction: noting }
}
