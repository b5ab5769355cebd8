import { type StoredPage, storedPageOf } from '@account-import/core'
import type { Knex } from 'knex'
import { dialectOf } from '../dialects/dialects.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { Client, SqlValue, Statements } from '../drivers/knex-clients.js'
import type { DataKeys } from './crypto.js'
import { type OnRetry, unlessDuplicate, withRetries } from './failures.js'
import { maxStatementBytes, merged, type Row } from './rows.js'

/** The dialect of a database, and the keys that its rows are encrypted with. */
type Database = Readonly<{ dialect: SqlDialect; dataKeys: DataKeys }>

/** An upper bound: in UTF-8 a UTF-16 unit takes three bytes at most, a pair of them four, an escaped one two; bytes are escaped in hexadecimal. */
const bytesOf = (row: Row): number => {
  let bytes = 0
  for (const value of Object.values(row)) {
    if (Buffer.isBuffer(value)) bytes += value.length * 2
    else bytes += typeof value === 'string' ? value.length * 3 : 8
  }
  return bytes
}

/** Splits the rows into one statement each; a row over the byte limit gets a statement of its own. */
const pieces = (rows: readonly Row[], mostRows: number): readonly (readonly Row[])[] => {
  const found: Row[][] = []
  let bytes = 0
  for (const row of rows) {
    const size = bytesOf(row)
    const piece = found.at(-1)
    if (piece !== undefined && piece.length < mostRows && bytes + size <= maxStatementBytes) {
      piece.push(row)
      bytes += size
    } else {
      found.push([row])
      bytes = size
    }
  }
  return found
}

/** The length of the texts of a row in bytes; null where they were removed. */
export type Length = Readonly<{ bytes: number | null }>

/** The rows whose texts together fit into a page. */
export const fittingPage = <R extends Length>(lengths: readonly R[], limit: number): StoredPage<R> =>
  storedPageOf(lengths, limit, ({ bytes }) => Number(bytes))

/** `after`: the values of the first columns of `order` in the row before the page. */
type PagePlace = Readonly<{
  order: readonly string[]
  after: readonly (string | number)[] | undefined
  limit: number
  isDescending?: boolean
}>

/** A connection of the pool or of a transaction, by which ports send SQL. */
export class Db implements Statements, Database {
  readonly raw: Statements['raw']
  readonly dialect: SqlDialect
  readonly dataKeys: DataKeys

  constructor(raw: Statements['raw'], { dialect, dataKeys }: Database) {
    this.raw = raw
    this.dialect = dialect
    this.dataKeys = dataKeys
  }

  async select<R>(sql: string, bindings: readonly Knex.RawBinding[] = []): Promise<readonly R[]> {
    return this.dialect.answers.rows(await this.raw(sql, bindings)) as readonly R[]
  }

  /**
   * A keyset page: the first rows of a SELECT in `order`, after the place `after` where it is given. The SELECT ends with its
   * condition. Databases use no index for a comparison of several columns at once, so each column adds a range. No ORDER BY names
   * a column that its condition fixes: MariaDB sorts all rows of the condition where the collations of session and column differ.
   */
  page<R>(
    select: string,
    bindings: readonly Knex.RawBinding[],
    { order, after, limit, isDescending = false }: PagePlace,
  ): Promise<readonly R[]> {
    const endBy = (columns: readonly string[]): string => {
      const open = columns.filter((column) => !select.includes(` ${column} = ?`))
      const by = open.map((column) => (isDescending ? `${column} DESC` : column)).join(', ')
      return `${by && `ORDER BY ${by} `}LIMIT ${Math.trunc(limit)}`
    }
    if (after === undefined) return this.select(`${select} ${endBy(order)}`, bindings)
    const ranges = after
      .map((_, last) =>
        order
          .slice(0, last + 1)
          .map((column, index) => ` AND ${column} ${index < last ? '=' : isDescending ? '<' : '>'} ?`),
      )
      .toReversed()
    const texts = ranges.map(
      (conditions) => `${select}${conditions.join('')} ${endBy(order.slice(conditions.length - 1))}`,
    )
    const values = ranges.flatMap((conditions) => [...bindings, ...after.slice(0, conditions.length)])
    return this.select(merged(this.dialect, texts, endBy(order)), values)
  }

  /**
   * A page of rows with texts of any length, by external account number (`StoredPage`). Reads the lengths first. `from` ends with
   * the condition; `bytes`: the length of the texts of a row.
   */
  async storedPage<R extends Readonly<{ external_account_number: string }>>(
    { columns, from, bytes }: Readonly<Record<'columns' | 'from' | 'bytes', string>>,
    bindings: readonly Knex.RawBinding[],
    { after = '', limit }: Readonly<{ after: string | undefined; limit: number }>,
  ): Promise<StoredPage<R>> {
    const number = 'external_account_number'
    const place = { order: [number], after: [after] }
    const lengths = await this.page<R & Length>(`SELECT ${number}, ${bytes} AS bytes ${from}`, bindings, {
      ...place,
      limit: limit + 1,
    })
    const { items: fitting, isLast } = fittingPage(lengths, limit)
    const last = fitting.at(-1)
    if (last === undefined) return { items: [], isLast: true }
    // Rows that were inserted meanwhile may push others behind the limit: the next page has them.
    const items = await this.page<R>(
      `SELECT ${columns} ${from} AND ${number} <= ?`,
      [...bindings, last.external_account_number],
      { ...place, limit: fitting.length },
    )
    const isWhole =
      items.length < fitting.length || items.at(-1)?.external_account_number === last.external_account_number
    return items.length > 0 || isLast
      ? { items, isLast: isLast && isWhole }
      : this.storedPage({ columns, from, bytes }, bindings, { after: last.external_account_number, limit })
  }

  /** The records of a table. `end` follows the name of the table in the SELECT: the condition and the order. */
  async records<R>(
    { name, recordOf }: Readonly<{ name: string; recordOf(row: Row): R }>,
    end: string,
    bindings: readonly Knex.RawBinding[] = [],
  ): Promise<readonly R[]> {
    return (await this.select<Row>(`SELECT * FROM ${name} ${end}`, bindings)).map(recordOf)
  }

  /** Runs an UPDATE or DELETE. Returns the number of rows that met the condition, including those with the same values before. */
  async change(sql: string, bindings: readonly Knex.RawBinding[]): Promise<number> {
    return this.dialect.answers.changed(await this.raw(sql, bindings))
  }

  /** As `change` for one row at most. Returns whether a row met the condition. */
  async changeOne(sql: string, bindings: readonly Knex.RawBinding[]): Promise<boolean> {
    return (await this.change(sql, bindings)) === 1
  }

  /** Sets columns of the one row that meets the condition. Returns whether there was one. */
  updateOne(table: string, row: Row, where: string, bindings: readonly Knex.RawBinding[]): Promise<boolean> {
    const set = Object.keys(row).map((column) => `${column} = ?`)
    const values = Object.values(row).map((value) => value ?? null)
    return this.changeOne(`UPDATE ${table} SET ${set.join(', ')} WHERE ${where}`, [...values, ...bindings])
  }

  /** Inserts the rows in as few statements as their size allows. All rows of a table have the same columns. */
  async insert(table: string, rows: readonly Row[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {})
    for (const piece of pieces(rows, this.dialect.maxInsertedRows)) {
      const values = piece.map((row) => columns.map((column): SqlValue => row[column] ?? null))
      const { sql, bindings } = this.dialect.insert(table, columns, values)
      await this.raw(sql, bindings)
    }
  }

  /** As `insert`. Returns false where a row with the key of one of them exists: rows of one statement are then not inserted. */
  insertNew(table: string, rows: readonly Row[]): Promise<boolean> {
    return unlessDuplicate(async () => {
      await this.insert(table, rows)
      return true
    }, false)
  }
}

type Work<A> = (db: Db) => Promise<A>

type Operation = <Given extends readonly unknown[], A>(
  work: (db: Db, ...given: Given) => Promise<A>,
) => (...given: Given) => Promise<A>

/**
 * Runs written SQL on a connection of the pool, straight through the driver: Knex's query builder costs several times as much as
 * the statements. The pool's time limit applies to the wait for a connection, and no connection is opened outside the pool.
 */
export const onConnection = async <A>(knex: Knex, database: Database, work: Work<A>): Promise<A> => {
  const client = knex.client as Client<unknown>
  const connection = await client.acquireConnection()
  const raw: Statements['raw'] = async (sql, bindings) =>
    (await client.query(connection, { sql, bindings })).response
  try {
    return await work(new Db(raw, database))
  } finally {
    await client.releaseConnection(connection)
  }
}

/** A transaction for written SQL; `knex.transaction` makes a whole Knex for each. Commits, or rolls back when the work throws. */
const inTransaction = <A>(knex: Knex, database: Database, work: Work<A>): Promise<A> =>
  onConnection(knex, database, async (db) => {
    try {
      await db.raw('BEGIN;', [])
      const result = await work(db)
      await db.raw('COMMIT;', [])
      return result
    } catch (cause) {
      // The dialect disposes of a connection whose rollback fails; the caller gets the error of the work.
      await Promise.resolve(db.raw('ROLLBACK', [])).catch(() => undefined)
      throw cause
    }
  })

/** Reads as of one moment, without blocking writers. */
const inSnapshot = <A>(knex: Knex, database: Database, work: Work<A>): Promise<A> =>
  onConnection(knex, database, async (db) => {
    const { begin, end: release } = database.dialect.snapshot
    for (const statement of begin) await db.raw(statement, [])
    const end = async (): Promise<unknown> => db.raw(release, [])
    const result = await work(db).catch(async (cause: unknown) => {
      // Ending fails too on a lost connection; the first error contains the cause.
      await end().catch(() => undefined)
      throw cause
    })
    await end()
    return result
  })

/** Called for every batch, for counters. A batch is the calls of one kind that waited at the same time and run together. */
export type OnBatch = (batch: Readonly<{ work: 'stage' | 'claim' | 'create' | 'read'; size: number }>) => void

/**
 * Sends SQL in one of two ways: each operation by itself on the pool, or all operations inside one unit of work. Each store works
 * with both.
 */
export type Session = Database &
  Readonly<{
    /** Inside a unit of work the calls of its one caller run one after the other, and are not joined with others. */
    isUnitOfWork: boolean
    /** Called for each batch. */
    onBatch?: OnBatch | undefined
    /** This session without a further try after a wait for a locked row; absent inside a unit of work. */
    impatient?: Session
    /** Runs statements that need no transaction of their own, on a connection of the pool or that of the unit of work. */
    query<A>(work: Work<A>): Promise<A>
    /** Runs statements that belong together: in a transaction of their own, or in that of the unit of work. */
    transaction<A>(work: Work<A>): Promise<A>
    /** Makes an operation of a port that is one `query`. `work` receives a connection and the arguments of the operation. */
    inQuery: Operation
    /** As `inQuery`, with `transaction`. */
    inTransaction: Operation
  }>

/** A session that is no unit of work: a transaction of ours sees what others commit meanwhile, so that only `snapshot` is of one moment. */
export type PoolSession = Session &
  Readonly<{
    /** Runs reads that belong together: all see the database as of one moment. The only way to compare rows of two tables. */
    snapshot<A>(work: Work<A>): Promise<A>
    /** As `inQuery`, with `snapshot`. */
    inSnapshot: Operation
  }>

/** Adds `inQuery` and `inTransaction` to a session. */
const sessionOf = (ways: Omit<Session, 'inQuery' | 'inTransaction'>): Session => ({
  ...ways,
  inQuery:
    (work) =>
    (...given) =>
      ways.query((db) => work(db, ...given)),
  inTransaction:
    (work) =>
    (...given) =>
      ways.transaction((db) => work(db, ...given)),
})

/** Operations on the pool; a retry runs the whole operation again. */
export const poolSession = (
  knex: Knex,
  dataKeys: DataKeys,
  onRetry: OnRetry,
  onBatch?: OnBatch,
): PoolSession => {
  const database = { dialect: dialectOf(knex), dataKeys }
  const snapshot: PoolSession['snapshot'] = (work) =>
    withRetries(() => inSnapshot(knex, database, work), onRetry)
  const ways = (lockWaits?: number): Session =>
    sessionOf({
      ...database,
      isUnitOfWork: false,
      onBatch,
      query: (work) => withRetries(() => onConnection(knex, database, work), onRetry, lockWaits),
      transaction: (work) => withRetries(() => inTransaction(knex, database, work), onRetry, lockWaits),
    })
  return {
    ...ways(),
    impatient: ways(1),
    snapshot,
    inSnapshot:
      (work) =>
      (...given) =>
        snapshot((db) => work(db, ...given)),
  }
}

/**
 * Operations inside a transaction. After a failed statement the database may have ended the transaction, or kept half of an
 * operation: `onFailure` is called, so that such a unit of work is never committed.
 */
export const transactionSession = (db: Db, onFailure: (cause: unknown) => void): Session => {
  const noting = async <A>(work: Work<A>): Promise<A> => {
    try {
      return await work(db)
    } catch (cause) {
      onFailure(cause)
      throw cause
    }
  }
  const { dialect, dataKeys } = db
  return sessionOf({ dialect, dataKeys, isUnitOfWork: true, query: noting, transaction: noting })
}
