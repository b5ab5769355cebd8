import type { Knex } from 'knex'
import { LibsqlClient } from '../drivers/libsql-client.js'
import { sqliteFile } from '../drivers/urls.js'
import type { Table } from '../schema/tables.js'
import type { SqlDialect } from './sql-dialect.js'

const indexed = (
  kind: string,
  table: string,
  keys: Readonly<Record<string, string>> = {},
): readonly string[] =>
  Object.entries(keys).map(([name, columns]) => `CREATE ${kind} ${name} ON ${table} (${columns})`)

/** It compares texts exactly by itself. */
const createTable = async (knex: Knex, { name, columns, primary, unique, indexes }: Table): Promise<void> => {
  const statements = [
    `CREATE TABLE ${name} (${columns}, PRIMARY KEY (${primary}))`,
    ...indexed('UNIQUE INDEX', name, unique),
    ...indexed('INDEX', name, indexes),
  ]
  for (const statement of statements) await knex.raw(statement)
}

/** SQLite in a file or in memory, through libsql. */
export const sqlite: SqlDialect = {
  client: LibsqlClient,
  urls: 'sqlite:<file>',
  settings: (url, options) => {
    const named = sqliteFile(url)
    if (named === undefined) return undefined
    if ('fault' in named) throw new TypeError(`The database URL ${named.fault}`)
    return {
      connection: { filename: named.file },
      useNullAsDefault: true,
      // The one connection is kept for ever: with it a database in memory would be gone.
      pool: { min: 1, max: 1 },
      acquireConnectionTimeout: options.acquireTimeoutMilliseconds ?? 30_000,
    }
  },
  // Whether the file may be written is found out by writing.
  assertTakesWrites: async () => undefined,
  errors: {
    isDuplicate: ({ code }) => code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'SQLITE_CONSTRAINT_UNIQUE',
    retryReasonOf: ({ code }) => (/^SQLITE_(BUSY|LOCKED)/.test(code ?? '') ? 'busy' : undefined),
    isUnavailable: ({ code = '' }) => /^SQLITE_(?:CANTOPEN|FULL|READONLY)/.test(code),
  },
  createTable,
  clearLog: async (db) => {
    const [row] = (await db.raw('PRAGMA wal_checkpoint(TRUNCATE)', [])) as readonly { busy: number }[]
    return row?.busy === 0
  },
  migratesInOneTransaction: true,
  parallelBatches: 1,
  // It takes the index of the order by itself.
  inOrderOf: (table) => table,
  foundBy: (table, index) => `${table} INDEXED BY ${index}`,
  orUpdate: (key, assignments) => {
    const list = assignments((column) => `excluded.${column}`)
    return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${list.map(([column, value]) => `${column} = ${value}`).join(', ')}`
  },
  limitedPart: (select) => `SELECT * FROM (${select}) AS part`,
  upserts: {
    returning: (columns) => `RETURNING ${columns}`,
    told: (expression) => expression,
    toldValues: () => undefined,
  },
  updateFirst: ({ table, set, where, key }) =>
    `UPDATE ${table} SET ${set} WHERE ${key} = (SELECT ${key} FROM ${table} WHERE ${where} ORDER BY ${key} LIMIT 1)`,
  // A transaction has the one write lock from its beginning.
  forUpdate: '',
  insert: (table, columns, rows) => {
    const row = `(${columns.map(() => '?').join(', ')})`
    return {
      sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => row).join(', ')}`,
      bindings: rows.flat() as Knex.RawBinding[],
    }
  },
  // Few enough for its 32766 bindings, and few different statements: what is longer goes in pieces of one size.
  maxInsertedRows: 64,
  textsJoin: 'json_each(?) AS sent CROSS JOIN',
  // BEGIN takes the write lock here. A savepoint alone is a transaction too, and reads without it.
  snapshot: { begin: ['SAVEPOINT snapshot'], end: 'RELEASE snapshot' },
  uniqueKeysOfTables:
    'SELECT m.name AS table_name, (SELECT GROUP_CONCAT(i.name) FROM pragma_index_info(l.name) AS i) AS column_names ' +
    'FROM sqlite_master AS m, pragma_index_list(m.name) AS l WHERE m.type = \'table\' AND l."unique" = 1',
}
