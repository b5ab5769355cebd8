import { interrupted, lineText, type Place, type SourceRow } from '@account-import/account-files'
import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { fileText, unreadable } from '../account-files/input/source.js'
import type { Converted } from '../account-files/pass.js'
import { accountsQuery, accountsTable, columnsOf, fillAccounts } from './accounts.js'
import { type Database, openDatabase, SqlFailure, tried } from './database.js'
import { faultyRows } from './faulty-row.js'
import type { Column } from './json-columns.js'
import { withMissingColumn } from './missing-column.js'
import { tablesRead, unreadSources } from './read-sources.js'
import { accountFor, checkExpressions, ignoreRows } from './row-accounting.js'
import { refusedMapping, type Source, sourcesOf, undeclared } from './sources.js'
import { refuseUnset, runCreation, type Statements, statementsOf } from './statements.js'
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

/** Runs the statements of the mapping into the table of accounts; answers the columns of the query, and the sources that it never reads. */
const filled = async (
  database: Database,
  statements: Statements,
  tables: readonly Table[],
  slices: number,
): Promise<Readonly<{ columns: readonly Column[]; unread: ReadonlySet<string> }>> => {
  let running = ''
  const made: string[] = []
  try {
    for (running of statements.creations)
      await runCreation(
        database,
        running,
        async () => void made.push(...(await tablesRead(database, running))),
      )
    const columns = await columnsOf(database, statements)
    const unread = await unreadSources(database, statements, tables, made)
    running = `CREATE TABLE probed_accounts AS ${accountsQuery(statements.query, columns)}`
    await fillAccounts(database, statements, columns, slices)
    return { columns, unread }
  } catch (cause) {
    const failure = withMissingColumn(cause, statements.trees, tables)
    throw failure === cause ? await withRows(cause, database, tables, running) : failure
  }
}

/** The source row of an account for people, such as `customers.csv` and `cliente=C-1 row=7`, from the JSON of its keys. */
const sourceRowOf = (tables: readonly Table[], json: string): SourceRow => {
  const keys = Object.entries(JSON.parse(json) as Record<string, unknown>).map(
    ([name, value]) => [name.replace(/^_/, ''), String(value)] as const,
  )
  const keyed = tables.filter(({ source: { key } }) => key !== undefined)
  const named = keyed.find(({ source: { key } }) =>
    keys.some(([name]) => name.toLowerCase() === key?.name.toLowerCase()),
  )
  const file = named ?? (keyed.length === 1 ? keyed[0] : undefined)
  return [file?.fileName ?? '', keys.map(([name, value]) => `${name}=${value}`).join(' ')]
}

/** The texts of the source rows of accounts by their lines; an account without keys has its line. */
const placesOf = async (
  { rows }: Database,
  tables: readonly Table[],
  wanted: readonly number[],
): Promise<Place> => {
  const found = await rows(
    `SELECT rowid::INTEGER + 1, coalesce(source, '{}') FROM ${accountsTable} WHERE rowid IN (${['-1', ...wanted.map((line) => line - 1)].join(', ')})`,
  )
  const texts = new Map(
    found.map(([line, json]) => [Number(line), sourceRowOf(tables, String(json)).join(' ').trim()]),
  )
  return (line) => texts.get(line) || lineText(line)
}

/** Yields the accounts as lines, several at a time; appends the source row of each to `sources`. */
async function* lines(
  { connection, rows }: Database,
  tables: readonly Table[],
  sources: SourceRow[],
): AsyncGenerator<Buffer> {
  const [[total] = []] = await rows(`SELECT count(*)::INTEGER FROM ${accountsTable}`)
  const result = await tried(() =>
    connection.stream(`SELECT fields, coalesce(source, '{}') FROM ${accountsTable}`),
  )
  let read = 0
  for (;;) {
    const chunk = await tried(() => result.fetchChunk())
    if (chunk === null || chunk.rowCount === 0) break
    const [fields, keys] = [chunk.getColumnVector(0), chunk.getColumnVector(1)]
    let piece = ''
    for (let row = 0; row < chunk.rowCount; row += 1) {
      piece += `${String(fields.getItem(row))}\n`
      sources.push(sourceRowOf(tables, String(keys.getItem(row))))
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
  refuseUnset(statements.trees, job.variables)
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
  const ignored = await ignoreRows(database, tables)
  const { columns, unread } = await filled(database, statements, tables, job.slices)
  const sourceRows = await accountFor(database, tables, columns, { ignored, unread })
  if (stop.aborted) throw interrupted()
  const sources: SourceRow[] = []
  const rows = lines(database, tables, sources)
  try {
    return await use({
      content: Readable.from(rows, { objectMode: false }),
      sources: (count) => sources.splice(0, count),
      places: (wanted) => placesOf(database, tables, wanted),
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
