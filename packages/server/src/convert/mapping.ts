import type * as DuckDb from '@duckdb/node-api'
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { DuckDBConnection } from '@duckdb/node-api'
import { FileFailure, interrupted } from '../account-files/file-failure.js'
import { unreadable } from '../account-files/input/source.js'
import type { Converted } from '../account-files/pass.js'

const lineFeed = 0x0a

/** The index of the first byte that is not UTF-8; undefined if all of them are. */
const firstFault = (line: Buffer): number | undefined => {
  if (isUtf8(line)) return undefined
  let at = 0
  while (at < line.length) {
    const byte = line[at] ?? 0
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (!isUtf8(line.subarray(at, at + length))) return at
    at += length
  }
  return at
}

/** The message about the first byte of a file that is not UTF-8; undefined for a UTF-8 file. */
const encodingFault = async (file: string): Promise<string | undefined> => {
  let rest = Buffer.alloc(0)
  let line = 1
  let before = 0
  const faultIn = (bytes: Buffer): string | undefined => {
    const at = firstFault(bytes)
    if (at === undefined) return undefined
    const byte = (bytes[at] ?? 0).toString(16).padStart(2, '0')
    return (
      `${file} is not in UTF-8: line ${line} has the byte 0x${byte} at ${at + 1} (byte ${before + at + 1} of the file).` +
      " A file in Latin-1 is read with encoding='latin-1'; convert one in Windows-1252 to UTF-8 first (iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW)."
    )
  }
  for await (const chunk of createReadStream(file)) {
    rest = Buffer.concat([rest, chunk as Buffer])
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed)) {
      const found = faultIn(rest.subarray(0, end))
      if (found !== undefined) return found
      rest = rest.subarray(end + 1)
      before += end + 1
      line += 1
    }
  }
  return faultIn(rest)
}

/** A mapping, and the folders and variables that DuckDB may read. */
type MappingJob = Readonly<{
  /** Path of the file with the SQL. */
  mapping: string
  /** Readable folders, with their subfolders. */
  folders: readonly string[]
  /** Values of variables, by their names. */
  variables: ReadonlyMap<string, string>
  /** The number of parts in which the query runs, from 1. */
  slices: number
}>

const refusedMapping = (detail: string): FileFailure => new FileFailure('mapping_refused', detail)

const loaded = async (): Promise<typeof DuckDb> => {
  try {
    return await import('@duckdb/node-api')
  } catch {
    throw new FileFailure(
      'duckdb_missing',
      'convert needs DuckDB, which is a package of its own (70 MB). Install it beside this program: npm install @duckdb/node-api@1.5.6-r.1',
    )
  }
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Functions that read files and make rows. Other table functions of DuckDB reach further than a mapping should. */
const allowedFunctions = new Set(
  `generate_series glob json_each json_tree parquet_scan range read_blob read_csv read_csv_auto read_json read_json_auto
  read_json_objects read_json_objects_auto read_ndjson read_ndjson_auto read_ndjson_objects read_parquet read_text repeat
  repeat_row sniff_csv unnest`.split(/\s+/),
)

/** Between the name of a function and its parenthesis. */
const gap = String.raw`(?:["\s]|--[^\n]*\n|/\*[\s\S]*?\*/)*`

/** Refuses other table functions, by the text of the statements, so that no macro, view or comment hides a call. */
const refuseFunctions = async (connection: DuckDb.DuckDBConnection, sql: string): Promise<void> => {
  const result = await connection.runAndReadAll(
    "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table'",
  )
  const refused = result
    .getRows()
    .flatMap(([name]) => (allowedFunctions.has(String(name)) ? [] : [String(name)]))
  const found = new RegExp(String.raw`\b(${refused.join('|')})${gap}\(`, 'i').exec(sql)
  if (found !== null) throw refusedMapping(`The mapping may not use the function ${found[1]}.`)
}

/** The relevant lines of DuckDB's message, without the quoted data of customers. */
const messageOf = (cause: unknown): string => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const kept = message
    .replace(/^Failed to extract statements: /, '')
    .split('\n')
    .filter((line) => !/^(?:Original Line|Possible Solution)/.test(line) && line.trim() !== '')
  if (kept[0] === 'Error in native callback') return 'The mapping has no statement.'
  const isOfMapping = /^(?:Binder|Catalog|Parser|Permission) Error/.test(kept[0] ?? '')
  if (isOfMapping) return kept.join('\n')
  const shown = kept.filter((line) => /Error|Line|^ +file = /.test(line)).map((line) => line.trim())
  return shown.join(' ').replaceAll(/(string|value) (["']).*?\2/gi, '$1 …')
}

/** An error of DuckDB as a failure of the mapping or of its files. */
const failureOf = async (cause: unknown): Promise<FileFailure> => {
  if (cause instanceof FileFailure) return cause
  const message = cause instanceof Error ? cause.message : ''
  if (message.startsWith('Out of Memory'))
    return refusedMapping(
      'The query needs more memory than it may have. Read large files into a table first (CREATE TABLE … AS), filter every file by' +
        ' in_slice(KEY), and run it in parts with --slices 20.',
    )
  if (message.includes('File is not latin-1 encoded'))
    return refusedMapping(
      "A file that the mapping reads with encoding='latin-1' is in Windows-1252: it has letters that Latin-1 lacks, such as €. Make it UTF-8" +
        ' (iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW), and leave out the encoding.',
    )
  const [, file] = /^ *file = (.+)$/m.exec(message) ?? []
  if (file !== undefined && /invalid unicode|not utf-8/i.test(message)) {
    const fault = await encodingFault(file)
    if (fault !== undefined) return refusedMapping(fault)
  }
  return refusedMapping(messageOf(cause))
}

/** Runs an action on DuckDB; rejects with `FileFailure`. */
const tried = async <A>(action: () => Promise<A>): Promise<A> => {
  try {
    return await action()
  } catch (cause) {
    throw await failureOf(cause)
  }
}

/**
 * Locks DuckDB: no network, no extensions, no files outside of the folders. The mapping gets the variable `folder`, its own
 * folder, and the macro `in_slice(key)` for queries in parts.
 */
const settings = (job: MappingJob, folders: readonly string[]): readonly string[] => [
  "SET TimeZone = 'UTC'",
  'SET allow_persistent_secrets = false',
  `SET allowed_directories = [${folders.map(text).join(', ')}]`,
  'SET enable_external_access = false',
  `SET VARIABLE folder = ${text(resolve(dirname(job.mapping)))}`,
  ...[...job.variables].map(([name, value]) => `SET VARIABLE ${name} = ${text(value)}`),
  `SET VARIABLE slices = ${job.slices}`,
  'SET VARIABLE slice = 0',
  "CREATE TEMP MACRO in_slice(key) AS hash(key) % getvariable('slices') = getvariable('slice')",
  'SET lock_configuration = true',
]

/** An open database of its own, and the statements of the mapping. */
type Opened = Readonly<{ connection: DuckDb.DuckDBConnection; sql: string; close(): Promise<void> }>

/** Opens DuckDB with a database on disk, for data that does not fit into memory. `close` removes the database. */
const openDuckDb = async (job: MappingJob): Promise<Opened> => {
  const { DuckDBInstance } = await loaded()
  const own = await mkdtemp(join(tmpdir(), 'account-import-convert-'))
  const remove = (): Promise<void> => rm(own, { recursive: true, force: true })
  try {
    const sql = await readFile(job.mapping, 'utf8')
    const folders = await Promise.all([own, ...job.folders].map((folder) => realpath(resolve(folder))))
    const instance = await DuckDBInstance.create(join(own, 'accounts.duckdb'), {
      allow_community_extensions: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      memory_limit: '1GB',
      temp_directory: own,
    })
    const connection = await instance.connect()
    for (const setting of settings(job, folders)) await connection.run(setting)
    await refuseFunctions(connection, sql)
    const close = async (): Promise<void> => {
      connection.closeSync()
      instance.closeSync()
      await remove()
    }
    return { connection, sql, close }
  } catch (cause) {
    await remove()
    throw cause instanceof FileFailure ? cause : unreadable(job.mapping, cause)
  }
}

/** Numbers of DuckDB for the kinds of statements that a mapping may have. */
const select = 1
const create = 7

/** The number of statements in a text; -1 if the text is not SQL. */
const countOf = async (connection: DuckDBConnection, sql: string): Promise<number> => {
  try {
    return (await connection.extractStatements(sql)).count
  } catch {
    return -1
  }
}

/** The last statement without its semicolon, and the text before it. */
const cut = async (
  connection: DuckDBConnection,
  sql: string,
  total: number,
): Promise<readonly [before: string, last: string]> => {
  let end = sql.length
  for (let at = sql.lastIndexOf(';'); at >= 0; at = at === 0 ? -1 : sql.lastIndexOf(';', at - 1)) {
    const before = await countOf(connection, sql.slice(0, at))
    if (before === total && (await countOf(connection, sql.slice(at + 1))) < 0) end = at
    else if (before === total - 1 && (await countOf(connection, sql.slice(at + 1, end))) === 1)
      return [sql.slice(0, at), sql.slice(at + 1, end)]
  }
  return ['', sql.slice(0, end)]
}

const firstWord = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()*([a-z]*)/i

const onlyQuery = (): FileFailure =>
  refusedMapping('A mapping is one query: SELECT, and before it CREATE for tables, views and macros.')

/**
 * The text of the last statement. Statements that a mapping may not have are recognised by their first word, because DuckDB
 * creates folders for some of them when they are only prepared.
 */
const queryOf = async (connection: DuckDBConnection, sql: string, total: number): Promise<string> => {
  let [before, last] = await cut(connection, sql, total)
  const query = last
  let allowed = /^(?:select|with|from|values)$/i
  for (let left = total; ; left -= 1) {
    if (!allowed.test(firstWord.exec(last)?.[1] ?? '')) throw onlyQuery()
    if (left === 1) return query
    allowed = /^create$/i
    ;[before, last] = await cut(connection, before, left - 1)
  }
}

/** Whether a column names the source row instead of a field. */
const isKey = (column: string): boolean => column.startsWith('_')

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const objectOf = (columns: readonly string[]): string =>
  columns.length === 0
    ? 'NULL'
    : `to_json(struct_pack(${columns.map((name) => `${quoted(name)} := q.${quoted(name)}`).join(', ')}))::VARCHAR`

/** The query with two JSON columns: the fields of the account, and the keys of its source row. */
const asJson = (query: string, columns: readonly string[]): string => {
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  if (twice !== undefined) throw refusedMapping(`The mapping has two columns ${twice}.`)
  const fields = columns.filter((name) => !isKey(name))
  if (fields.length === 0) throw refusedMapping('The mapping has no column that is a field.')
  return `SELECT ${objectOf(fields)}, ${objectOf(columns.filter(isKey))} FROM (${query}\n) q`
}

/** Runs all statements but the last, which is the query. Only `CREATE` is allowed before it. */
const prepared = async ({ connection, sql }: Opened): Promise<string> => {
  const statements = await connection.extractStatements(sql)
  const query = await queryOf(connection, sql, statements.count)
  for (let at = 0; at < statements.count; at += 1) {
    const statement = await statements.prepare(at)
    const isLast = at === statements.count - 1
    if (statement.statementType !== (isLast ? select : create)) throw onlyQuery()
    if (!isLast) await statement.run()
    else {
      const columns = Array.from({ length: statement.columnCount }, (_, index) => statement.columnName(index))
      return asJson(query, columns)
    }
  }
  throw refusedMapping('The mapping is empty.')
}

/**
 * JSON without members that are null, because an unknown field has to be absent. Quotes in texts are escaped, so no text looks
 * like a member.
 */
const withoutNulls = (json: string): string =>
  json.includes(':null')
    ? json.replaceAll(/\{(?:"[^"\\]+":null,?)+|,"[^"\\]+":null(?=[,}])/g, (member) =>
        member.startsWith('{') ? '{' : '',
      )
    : json

/** The source row for people: `cliente=C-1 row=7`. */
const sourceOf = (json: string): string =>
  Object.entries(JSON.parse(json) as Record<string, unknown>)
    .map(([name, value]) => `${name.slice(1)}=${String(value)}`)
    .join(' ')

/** Yields the accounts as lines, several at a time; appends the source row of each to `sources`. */
async function* lines(
  opened: Opened,
  query: string,
  slices: number,
  sources: string[],
): AsyncGenerator<Buffer> {
  const { connection } = opened
  for (let slice = 0; slice < slices; slice += 1) {
    await connection.run(`SET VARIABLE slice = ${slice}`)
    const result = await tried(() => connection.stream(query))
    for (;;) {
      const chunk = await tried(() => result.fetchChunk())
      if (chunk === null || chunk.rowCount === 0) break
      const [fields, keys] = [chunk.getColumnVector(0), chunk.getColumnVector(1)]
      let piece = ''
      for (let row = 0; row < chunk.rowCount; row += 1) {
        piece += `${withoutNulls(String(fields.getItem(row)))}\n`
        const key = keys.getItem(row)
        sources.push(key === null ? '' : sourceOf(String(key)))
      }
      yield Buffer.from(piece)
    }
  }
}

/**
 * Runs a mapping, and passes a stream of its accounts, as lines of JSON, to `use`. Rejects with `FileFailure`. Removes the
 * database at the end.
 */
export const withConverted = async <A>(
  job: MappingJob,
  stop: AbortSignal,
  use: (converted: Converted) => Promise<A>,
): Promise<A> => {
  const opened = await openDuckDb(job)
  let interrupting: NodeJS.Timeout | undefined
  const onStop = (): void => {
    // Repeated, because an interruption does not affect a query that begins after it.
    interrupting = setInterval(() => opened.connection.interrupt(), 50)
  }
  let rows: AsyncGenerator<Buffer> | undefined
  stop.addEventListener('abort', onStop)
  try {
    const query = await tried(() => prepared(opened))
    if (stop.aborted) throw interrupted()
    const sources: string[] = []
    rows = lines(opened, query, job.slices, sources)
    const content = Readable.from(rows, { objectMode: false })
    return await use({ content, sources: (count) => sources.splice(0, count) })
  } catch (cause) {
    throw stop.aborted ? interrupted() : cause
  } finally {
    await rows?.return(undefined).catch(() => undefined)
    stop.removeEventListener('abort', onStop)
    clearInterval(interrupting)
    await opened.close()
  }
}
