import type { FileFailure } from '@account-import/account-files'
import { type Database, quoted, SqlFailure, tried } from './database.js'
import { type Column, isList, jsonObject } from './json-columns.js'
import { sliceQuery } from './slices.js'
import { refusedMapping } from './sources.js'
import type { Statements } from './statements.js'

/** The table of converted accounts: JSON of the fields, JSON of the columns that name the source row, and their keys. */
export const accountsTable = 'converted_accounts'

/** Whether a column names the source row instead of a field. */
const isKey = ({ name }: Column): boolean => name.startsWith('_')

/** The columns of the query that hold keys of source rows: those that begin with `_`, or the number of the account. */
export const keyColumns = (columns: readonly Column[]): readonly Column[] => {
  const named = columns.filter(isKey)
  return named.length > 0 ? named : columns.filter(({ name }) => name === 'external_account_number')
}

/** The columns of the query, which DuckDB prepares but does not run. */
export const columnsOf = async (
  { connection }: Database,
  { query }: Statements,
): Promise<readonly Column[]> => {
  const statement = await tried(() => connection.prepare(query))
  const columns = Array.from({ length: statement.columnCount }, (_, at) => ({
    name: statement.columnName(at),
    type: statement.columnType(at),
  }))
  const names = columns.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw refusedMapping(`The mapping has two columns ${twice}.`)
  if (columns.every(isKey)) throw refusedMapping('The mapping has no column that is a field.')
  return columns
}

/** The texts of a column as a list: a column that is a list has the keys of several rows. */
const keysOf = ({ name, type }: Column): string =>
  isList(type) ? `CAST(q.${quoted(name)} AS VARCHAR[])` : `[CAST(q.${quoted(name)} AS VARCHAR)]`

/** The query with the columns of the table of accounts. */
export const accountsQuery = (query: string, columns: readonly Column[]): string => {
  const keys = keyColumns(columns).map((column, at) => `${keysOf(column)} AS key_${at}`)
  const rowNames = keyColumns(columns).filter(({ type }) => !isList(type))
  const source = rowNames.length === 0 ? 'NULL' : jsonObject(rowNames)
  const fields = jsonObject(columns.filter((column) => !isKey(column)))
  return `SELECT ${[`${fields} AS fields`, `${source} AS source`, ...keys].join(', ')} FROM (${query}\n) q`
}

const outOfMemory = (): FileFailure =>
  refusedMapping(
    'The query needs more memory than it may have. Run it in parts with --slices 20; large tables that it reads several times can be ' +
      'prepared by CREATE TABLE … AS.',
  )

/** The number of parts for the next attempt, after one that needed too much memory. */
const moreSlices = 8

/** The most parts that a query without `--slices` runs in. */
const mostSlices = 512

/**
 * Runs the query into the table of accounts, as a whole or in parts, in the order of the query. A whole table is the result of a
 * query without any error: a stream of rows would end at an error as it does at its end. A query that needs too much memory runs
 * again in more parts.
 */
export const fillAccounts = async (
  database: Database,
  statements: Statements,
  columns: readonly Column[],
  slices: number,
): Promise<void> => {
  const keys = keyColumns(columns).map((_, at) => `, key_${at} VARCHAR[]`)
  await database.run(
    `CREATE OR REPLACE TABLE ${accountsTable} (fields VARCHAR, source VARCHAR${keys.join('')})`,
  )
  try {
    for await (const query of sliceQuery(database, statements, columns, slices))
      await database.run(`INSERT INTO ${accountsTable} ${accountsQuery(query, columns)}`)
  } catch (cause) {
    if (!(cause instanceof SqlFailure) || !cause.isOutOfMemory) throw cause
    if (slices * moreSlices > mostSlices) throw outOfMemory()
    await fillAccounts(database, statements, columns, slices * moreSlices)
  }
}
