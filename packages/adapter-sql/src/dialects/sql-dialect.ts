import type { Knex } from 'knex'
import type { DatabaseError } from '../drivers/database-error.js'
import type { SqlValue, Statements as Connection } from '../drivers/knex-clients.js'
import type { Table } from '../schema/tables.js'

/** Why a database asks for the whole transaction to be run again. */
export type RetryReason = 'deadlock' | 'lock_wait' | 'certification' | 'read_only' | 'busy'

export type ConnectOptions = Readonly<{
  /** Connections to MySQL at most; 16 when absent. SQLite has one. */
  maxConnections?: number
  /** How long a call waits for a free connection before it fails as unavailable; 5000, on SQLite 30000. */
  acquireTimeoutMilliseconds?: number
  /** Told how long each call waited for a connection, milliseconds; also of one that got none. */
  onConnectionWait?: (milliseconds: number) => void
  /** Prepared statements kept for each connection; 256 when absent. */
  maxPreparedStatements?: number
  /** Whether a server that takes no writes will do, as nothing is to be written; false when absent. */
  onlyReads?: boolean
}>

type Assignments = readonly (readonly [column: string, expression: string])[]

/**
 * All that differs between one database and the others, said once for each in a file of this folder. Tables may have an alias:
 * `accounts a`.
 */
export type SqlDialect = Readonly<{
  /** The class of Knex clients that speaks the dialect: by it a Knex is known again. */
  client: abstract new (...given: never[]) => unknown
  /** The form of its URLs, for people. */
  urls: string
  /** The options of Knex for the URL, besides the client; undefined for a URL of another dialect. */
  settings(url: string, options: ConnectOptions): Knex.Config | undefined
  /** Rejects with a `DatabaseError` where the server takes no writes; the pool then looks for one that does. */
  assertTakesWrites(knex: Knex): Promise<void>
  /** The meaning of the database's errors. Errors of the network are the same for all databases. */
  errors: Readonly<{
    /** The statement clashed with a unique key. */
    isDuplicate(error: DatabaseError): boolean
    /** Undefined when running again would not help. */
    retryReasonOf(error: DatabaseError): RetryReason | undefined
    /** The server cannot be used now, and may be usable later. */
    isUnavailable(error: DatabaseError): boolean
  }>
  /** Creates a table with all its keys and indexes, whose texts are compared exactly, unless it is there: then it is whole. */
  createTable(knex: Knex, table: Table): Promise<void>
  /** Whether a run of migrations can be one transaction: it also undoes changes of tables, and others wait for it. */
  migratesInOneTransaction: boolean
  /**
   * Empties the log beside the database file, which has pages as they were; false while others read from it. Absent where there is
   * no such log.
   */
  clearLog?: (db: Connection) => Promise<boolean>
  /** Batches of stagings, and of reads of one kind, on their way to the database at one time. */
  parallelBatches: number
  /** The table, read in the order of one of its indexes; `PRIMARY` is its key. */
  inOrderOf(table: string, index: string): string
  /** The table, its rows found by one of its indexes although others look better, or as good until rows are counted. */
  foundBy(table: string, index: string): string
  /**
   * The end of an insert that changes the row with the same key instead. `incoming` names the value that the insert brought for a
   * column. The assignments are to come out the same whether an expression sees the new values of those before it or the old row.
   */
  orUpdate(key: readonly string[], assignments: (incoming: (column: string) => string) => Assignments): string
  /** How an upsert answers what became of its rows, so that they need not be read afterwards. */
  upserts: Readonly<{
    /** Ends an upsert that answers its rows as they are then, with these columns; undefined where none can. */
    returning?(columns: string): string
    /** An expression of an assignment, at least 1, that the answer tells: the last one that was looked at. */
    told(expression: string): string
    /**
     * The reported count for each row that was sent, and 1 for one that is new; undefined where the answer does not say; empty
     * where a condition left no row to send. Each row that was there already looks at something, and is changed or stays as it was.
     */
    toldValues(answer: unknown, rows: number): readonly number[] | undefined
  }>
  /** An update of the one row with the lowest key that meets the condition. Bindings: those of `set`, then `where`. */
  updateFirst(update: Readonly<{ table: string; set: string; where: string; key: string }>): string
  /** The end of a SELECT whose rows stay locked until the transaction ends. */
  forUpdate: string
  /** An insert of whole rows, and its bindings; as few differ in text as the database prepares well. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
  ): Readonly<{ sql: string; bindings: readonly Knex.RawBinding[] }>
  /** Rows that one insert takes at most. */
  maxInsertedRows: number
  /** A SELECT with an order and a limit of its own, as a part of a UNION. */
  limitedPart(select: string): string
  /**
   * A table expression `sent` over a JSON array of texts, each its `value`; joined to what follows it, in this order. However
   * many texts there are, it is one statement with one value, which the server has prepared already.
   */
  textsJoin: string
  /** How a transaction that only reads begins and ends: it sees one moment, and nobody waits for it. */
  snapshot: Readonly<{ begin: readonly string[]; end: string }>
  /** A SELECT of all unique keys: `table_name`, and `column_names` in their order, with commas. */
  uniqueKeysOfTables: string
}>
