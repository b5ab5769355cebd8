import type { Knex } from 'knex'
import type { DatabaseError } from '../drivers/database-error.js'
import type { SqlValue, Statements as Connection, StoredText } from '../drivers/knex-clients.js'
import type { Table } from '../schema/tables.js'

/** The reason to run a whole transaction again. */
export type RetryReason = 'deadlock' | 'lock_wait' | 'certification' | 'read_only' | 'busy'

export type ConnectOptions = Readonly<{
  /** Most connections to a server; 16 when absent. SQLite has one. */
  maxConnections?: number
  /** Milliseconds that a call waits for a free connection before it fails as unavailable; 5000, on SQLite 30000. */
  acquireTimeoutMilliseconds?: number
  /** Called with the milliseconds that each call waited for a connection, also where it got none. */
  onConnectionWait?: (milliseconds: number) => void
  /** Prepared statements kept for each connection; 256 when absent. */
  maxPreparedStatements?: number
  /** Whether a read-only server may be used, because the caller only reads; false when absent. */
  onlyReads?: boolean
}>

type Assignments = readonly (readonly [column: string, expression: string])[]

/** All differences between the databases; each dialect is a file of this folder. Tables may have an alias: `accounts a`. */
export type SqlDialect = Readonly<{
  /** The class of the dialect's Knex clients, by which `dialectOf` recognises a Knex. */
  client: abstract new (...given: never[]) => unknown
  /** The form of its URLs, for messages. */
  urls: string
  /** The options of Knex for the URL, besides the client; undefined for a URL of another dialect. */
  settings(url: string, options: ConnectOptions): Knex.Config | undefined
  /** Rejects with a `DatabaseError` where the server takes no writes; the pool then searches for a server that does. */
  assertTakesWrites(knex: Knex): Promise<void>
  /** The bytes of a statement that the server takes at most; undefined where no setting limits them. */
  mostStatementBytes(knex: Knex): Promise<number | undefined>
  /** The meaning of the database's errors. Errors of the network are the same for all databases. */
  errors: Readonly<{
    /** The statement clashed with a unique key. */
    isDuplicate(error: DatabaseError): boolean
    /** A value of a column that takes no NULL is NULL. */
    isNull(error: DatabaseError): boolean
    /** Undefined when a retry would fail too. */
    retryReasonOf(error: DatabaseError): RetryReason | undefined
    /** The statement is larger than the database ever takes. */
    isTooLarge(error: DatabaseError): boolean
    /** The server cannot be used now, and may be usable later. */
    isUnavailable(error: DatabaseError): boolean
  }>
  /** The parts of a driver's answer to a statement. */
  answers: Readonly<{
    /** The rows of a SELECT, or those that a change returns. */
    rows(answer: unknown): readonly unknown[]
    /** The number of rows that met the condition of a change. */
    changed(answer: unknown): number
  }>
  /** Columns of a table (`Table`) in the types of the database, as `tablesText` describes them. */
  columns(columns: string): string
  /**
   * Creates a table with all its keys and indexes, whose texts are compared exactly. An existing table of an interrupted run is
   * complete, and is kept.
   */
  createTable(knex: Knex, table: Table): Promise<void>
  /** Whether a run of migrations can be one transaction, which also undoes changes of tables and blocks other runs. */
  migratesInOneTransaction: boolean
  /** The first statement of such a transaction, where its begin alone does not block other runs. */
  blockMigrations?: string
  /**
   * Empties the log beside the database file, which contains earlier versions of pages; false while others read from it. Absent
   * where there is no such log.
   */
  clearLog?: (db: Connection) => Promise<boolean>
  /** Most batches of stagings, or of reads of one kind, at one time. */
  parallelBatches: number
  /** The table, read in the order of one of its indexes; `PRIMARY` is its key. */
  inOrderOf(table: string, index: string): string
  /** The table, with its rows found by the named index even where the database would prefer another one. */
  foundBy(table: string, index: string): string
  /**
   * The end of an insert that instead changes a row with the same key. `incoming` names the inserted value of a column. The
   * assignments must have the same result whether an expression sees the new values of earlier assignments or the old row.
   */
  orUpdate(key: readonly string[], assignments: (incoming: (column: string) => string) => Assignments): string
  /** How an upsert reports the outcome of its rows, so that fewer statements read them afterwards. */
  upserts: Readonly<{
    /** Ends an upsert that returns these columns of its rows; absent where the database cannot return rows. */
    returning?(columns: string): string
    /** Wraps an expression, at least 1, of a row or an assignment: the last evaluated value is in the response. */
    reported(expression: string): string
    /**
     * `value`: what was reported; 0 where a router between server and service left it out. `counted`: a new row counts once, as does one that
     * keeps its values, and a changed one twice. Undefined where the response never contains them.
     */
    reportIn(answer: unknown): Readonly<{ value: number; counted: number }> | undefined
  }>
  /** The end of a SELECT that locks its rows until the transaction ends. */
  forUpdate: string
  /** As `forUpdate`, without rows that another transaction has locked. */
  forUpdateOfFree: string
  /** An insert of whole rows, and its bindings. It has few different texts, because connections prepare each of them. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
  ): Readonly<{ sql: string; bindings: readonly Knex.RawBinding[] }>
  /** The form in which a text is bound to a LONGBLOB, which is a column of texts where that costs no more; `textOf` reads it. */
  storedText(text: string): StoredText
  /** Most rows of one insert. */
  maxInsertedRows: number
  /** A SELECT of the server's clock as `now`, in milliseconds since 1970. */
  time: string
  /** The length of a text in bytes. The database need not read the text for it, where it can do without. */
  bytesOf(column: string): string
  /** The text of a column before a mark, which is one character. */
  textBefore(column: string, mark: string): string
  /** A SELECT with an order and a limit of its own, as a part of a UNION. */
  limitedPart(select: string): string
  /** Begins and ends a transaction that only reads: it sees one snapshot, and blocks no writer. */
  snapshot: Readonly<{ begin: readonly string[]; end: string }>
  /** A SELECT of the columns of all tables, and of their keys and indexes in the order of the key (`DescribedColumn`). */
  tablesText: string
}>
