import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { interrupted } from '@account-import/account-files'
import { fileText, unreadable } from '../account-files/input/source.js'
import type { Converted } from '../account-files/pass.js'
import { accountsQuery, accountsTable, columnsOf, fillAccounts } from './accounts.js'
import { type Database, openDatabase, SqlFailure, tried } from './database.js'
import { faultyRows } from './faulty-row.js'
import type { Column } from './json-columns.js'
import { withMissingColumn } from './missing-column.js'
import { accountFor, checkExpressions } from './row-accounting.js'
import { refusedMapping, type Source, sourcesOf, undeclared } from './sources.js'
import { runCreation, type Statements, statementsOf } from './statements.js'
import { loadAll, rejectsHead, type Table } from './tables.js'

/** The SQL of a mapping, the sources that it declares, and the folder of its file. It is read once, as it may be a pipe. */
export type Mapping = Readonly<{ sql: string; sources: readonly Source[]; folder: string }>

/** Reads a mapping, or `input` for `-`. Rejects with `FileFailure`. */
export const readMapping = async (path: string, input: Readable): Promise<Mapping> => {
  try {
    const sql = await fileText(path, input)
    return { sql, sources: sourcesOf(sql), folder: dirname(path) }
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/** A mapping, and what its command gives it. */
export type MappingJob = Readonly<{
  mapping: Mapping
  /** Folders with the files of the sources, besides that of the mapping. */
  folders: readonly string[]
  /** Values of variables, by their names. */
  variables: ReadonlyMap<string, string>
  /** The number of parts in which the query runs, from 1. */
  slices: number
  /** Whether rows with a fault are collected; else the first of them ends the run. */
  collectsRejects: boolean
}>

/** All paths that the sources of a mapping may have. */
export const inputFilesOf = ({ sources, folder }: Mapping, folders: readonly string[]): readonly string[] =>
  sources.flatMap(({ file }) => [folder, ...folders].map((each) => resolve(each, file)))

/** Adds the rows of the sources to a failure of a statement that fails for some of them. */
const withRows = async (
  cause: unknown,
  database: Database,
  tables: readonly Table[],
  statement: string,
): Promise<unknown> => {
  if (!(cause instanceof SqlFailure) || cause.isOutOfMemory) return cause
  const rows = await faultyRows(database, tables, statement)
  return rows.length === 0
    ? cause
    : refusedMapping(`${cause.message.replace(/\.?$/, '.')} It is in ${rows.join(', ')}.`)
}

/** Runs the statements of the mapping into the table of accounts; answers the columns of the query. */
const filled = async (
  database: Database,
  statements: Statements,
  tables: readonly Table[],
  slices: number,
): Promise<readonly Column[]> => {
  let running = ''
  try {
    for (running of statements.creations) await runCreation(database, running)
    const columns = await columnsOf(database, statements)
    running = `CREATE TABLE probed_accounts AS ${accountsQuery(statements.query, columns)}`
    await fillAccounts(database, statements, columns, slices)
    return columns
  } catch (cause) {
    const failure = withMissingColumn(cause, statements.trees, tables)
    throw failure === cause ? await withRows(cause, database, tables, running) : failure
  }
}

/** The source row for people: `cliente=C-1 row=7`. */
const sourceText = (json: string): string =>
  Object.entries(JSON.parse(json) as Record<string, unknown>)
    .map(([name, value]) => `${name.slice(1)}=${String(value)}`)
    .join(' ')

/** Yields the accounts as lines, several at a time; appends the source row of each to `sources`. */
async function* lines({ connection, rows }: Database, sources: string[]): AsyncGenerator<Buffer> {
  const [[total] = []] = await rows(`SELECT count(*)::INTEGER FROM ${accountsTable}`)
  const result = await tried(() => connection.stream(`SELECT fields, source FROM ${accountsTable}`))
  let read = 0
  for (;;) {
    const chunk = await tried(() => result.fetchChunk())
    if (chunk === null || chunk.rowCount === 0) break
    const [fields, keys] = [chunk.getColumnVector(0), chunk.getColumnVector(1)]
    let piece = ''
    for (let row = 0; row < chunk.rowCount; row += 1) {
      piece += `${String(fields.getItem(row))}\n`
      const key = keys.getItem(row)
      sources.push(key === null ? '' : sourceText(String(key)))
    }
    read += chunk.rowCount
    yield Buffer.from(piece)
  }
  // DuckDB ends a stream at an error as it does at its end.
  if (read !== Number(total))
    throw refusedMapping(
      `DuckDB returned ${read} of ${Number(total)} converted accounts. Run the command again.`,
    )
}

/** Converts in an open database, whose queries `stop` interrupts. */
const convert = async <A>(
  database: Database,
  { mapping, ...job }: MappingJob,
  stop: AbortSignal,
  use: (converted: Converted) => Promise<A>,
): Promise<A> => {
  const statements = await statementsOf(database, mapping.sql)
  if (mapping.sources.length === 0) throw undeclared('The mapping declares no source.')
  const rejects = join(database.folder, 'rejects.csv')
  const reject = async (rows: string): Promise<void> => appendFile(rejects, rows, { mode: 0o600 })
  if (job.collectsRejects) await reject(rejectsHead)
  const folders = [mapping.folder, ...job.folders]
  const tables = await loadAll(
    database,
    mapping.sources,
    folders,
    stop,
    job.collectsRejects ? reject : undefined,
  )
  await checkExpressions(database, tables)
  const columns = await filled(database, statements, tables, job.slices)
  const sourceRows = await accountFor(database, tables, columns)
  if (stop.aborted) throw interrupted()
  const sources: string[] = []
  const rows = lines(database, sources)
  try {
    return await use({
      content: Readable.from(rows, { objectMode: false }),
      sources: (count) => sources.splice(0, count),
      sourceRows,
      rejects: () => createReadStream(rejects),
    })
  } finally {
    await rows.return(undefined).catch(() => undefined)
  }
}

/**
 * Runs a mapping, and passes a stream of its accounts, as lines of JSON, to `use`. The mapping has ended without an error before
 * the first of them. Rejects with `FileFailure`. Removes the database at the end.
 */
export const withConverted = async <A>(
  job: MappingJob,
  stop: AbortSignal,
  use: (converted: Converted) => Promise<A>,
): Promise<A> => {
  const database = await openDatabase(job.variables)
  let interrupting: NodeJS.Timeout | undefined
  const onStop = (): void => {
    // Repeated, because an interruption does not affect a query that begins after it.
    interrupting = setInterval(() => database.connection.interrupt(), 50)
  }
  stop.addEventListener('abort', onStop)
  try {
    if (stop.aborted) throw interrupted()
    return await convert(database, job, stop, use)
  } catch (cause) {
    throw stop.aborted ? interrupted() : cause
  } finally {
    stop.removeEventListener('abort', onStop)
    clearInterval(interrupting)
    await database.close()
  }
}
