import { Readable } from 'node:stream'
import type { DuckDBConnection } from '@duckdb/node-api'
import { type FileFailure, interrupted } from '../account-files/file-failure.js'
import type { Converted } from '../account-files/pass.js'
import { type MappingJob, type Opened, openDuckDb, refusedMapping, tried } from './duckdb.js'

/** Numbers of DuckDB for the kinds of statements that a mapping may have. */
const select = 1
const create = 7

/** How many statements a text has; -1 if it is none. */
const countOf = async (connection: DuckDBConnection, sql: string): Promise<number> => {
  try {
    return (await connection.extractStatements(sql)).count
  } catch {
    return -1
  }
}

/** The last statement without the semicolon after it, and what stands before it. */
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
 * The text of the last statement. Statements of another kind than those of a mapping are told by their first word, because
 * DuckDB makes folders for some when they are merely prepared.
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

/** Columns that begin so are no fields: they name the row of the source. */
const isKey = (column: string): boolean => column.startsWith('_')

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const objectOf = (columns: readonly string[]): string =>
  columns.length === 0
    ? 'NULL'
    : `to_json(struct_pack(${columns.map((name) => `${quoted(name)} := q.${quoted(name)}`).join(', ')}))::VARCHAR`

/** The query with two columns, both JSON: the fields of the account, and the keys of its row. */
const asJson = (query: string, columns: readonly string[]): string => {
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  if (twice !== undefined) throw refusedMapping(`The mapping has two columns ${twice}.`)
  const fields = columns.filter((name) => !isKey(name))
  if (fields.length === 0) throw refusedMapping('The mapping has no column that is a field.')
  return `SELECT ${objectOf(fields)}, ${objectOf(columns.filter(isKey))} FROM (${query}\n) q`
}

/** Runs all statements but the last, which is the query; nothing but `CREATE` may stand before it. */
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
 * JSON without the members that are null: a field that is not known is left out. A quote inside a text has a backslash before
 * it, so no text looks like a member.
 */
const withoutNulls = (json: string): string =>
  json.includes(':null')
    ? json.replaceAll(/\{(?:"[^"\\]+":null,?)+|,"[^"\\]+":null(?=[,}])/g, (member) =>
        member.startsWith('{') ? '{' : '',
      )
    : json

/** Keys as people read them: `cliente=C-1 row=7`. */
const sourceOf = (json: string): string =>
  Object.entries(JSON.parse(json) as Record<string, unknown>)
    .map(([name, value]) => `${name.slice(1)}=${String(value)}`)
    .join(' ')

/** The accounts as lines, several at a time; the source of each goes into `sources`. */
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
 * Runs a mapping, and gives its accounts to `use` as lines of JSON while they come. Rejects with `FileFailure`; in the end
 * nothing is left of the database.
 */
export const withConverted = async <A>(
  job: MappingJob,
  stop: AbortSignal,
  use: (converted: Converted) => Promise<A>,
): Promise<A> => {
  const opened = await openDuckDb(job)
  let interrupting: NodeJS.Timeout | undefined
  const onStop = (): void => {
    // A query that begins after an interruption knows nothing of it.
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
