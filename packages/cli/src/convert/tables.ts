import { counted, csvOf, FileFailure, formatFault, interrupted } from '@account-import/account-files'
import type { DuckDBAppender } from '@duckdb/node-api'
import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { openSource } from '../account-files/input/source.js'
import { type CsvRow, longestRow, type RowFault, rowReader } from './csv-rows.js'
import { type Database, quoted, tried } from './database.js'
import { refusedMapping, type Source } from './sources.js'

/** The schema of the tables with the rows of the files; the mapping sees views of them. */
export const schema = 'source_rows'

/** A source whose rows are in a table. */
export type Table = Readonly<{
  source: Source
  /** Name of the file without folders. */
  fileName: string
  /** Names of the columns, as in the header. */
  columns: readonly string[]
  /** The number of the last line; 0 without rows. */
  lastLine: number
  rejected: number
  /** The rows that have line breaks in their cells, and the line of the first of them. */
  spanning: Readonly<{ rows: number; firstLine: number }>
}>

/** Writes rows of the table of rejected rows. */
type Reject = (rows: string) => Promise<void>

/** The columns of the table of rejected rows. The row is as it is in the file, line ends included. */
export const rejectsHead = `\ufeff${csvOf([['file', 'line', 'fault', 'row']])}`

const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)

/** The path of the file of a source: in the folder of the mapping, or in one of `--folder`. Two files of a name are refused. */
const pathOf = async ({ name, file }: Source, folders: readonly string[]): Promise<string> => {
  const real = async (path: string): Promise<readonly string[]> => {
    try {
      return [await realpath(path)]
    } catch {
      return []
    }
  }
  const roots = (await Promise.all(folders.map((folder) => real(resolve(folder))))).flat()
  const named = isAbsolute(file) ? [file] : folders.map((folder) => join(resolve(folder), file))
  const found = [...new Set((await Promise.all(named.map(real))).flat())]
  if (found.length === 0)
    throw new FileFailure(
      'input_unreadable',
      `There is no file ${file} for the source ${name} in ${folders.join(', ')}. Name its folder with --folder.`,
    )
  const [path = '', other] = found
  if (other !== undefined)
    throw refusedMapping(`The source ${name} has two files ${file}: ${found.join(', ')}.`)
  if (!roots.some((root) => isInside(root, path)))
    throw refusedMapping(
      `The source ${name} is outside of the folder of the mapping. Name its folder with --folder ${dirname(path)}.`,
    )
  return path
}

const byteText = (byte: number): string => `0x${byte.toString(16).padStart(2, '0')}`

/** The text of a file, in pieces of whole lines. Rejects with `input_unreadable`, or `mapping_refused` with line and column. */
async function* textOf(
  path: string,
  fileName: string,
  { encoding, decoder }: Source,
): AsyncGenerator<string> {
  const { wholeLines, decode } = decoder()
  let held = Buffer.alloc(0)
  let [line, isFirst] = [1, true]
  const decoded = (bytes: Buffer): string => {
    const fault = isFirst ? formatFault(bytes, encoding) : undefined
    if (fault !== undefined) throw refusedMapping(`${fileName}: ${fault}`)
    const lines = decode(bytes)
    if ('fault' in lines) {
      const { column, byte } = lines.fault
      throw refusedMapping(
        `${fileName} line ${line + lines.fault.line - 1}, column ${column}: the byte ${byteText(byte)} is no letter in ${encoding}.` +
          ' Declare the encoding of the file in the mapping, such as encoding windows-1252, or correct the byte.',
      )
    }
    const text = isFirst ? lines.text.replace(/^\ufeff/, '') : lines.text
    isFirst = false
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1
    return text
  }
  for await (const chunk of (await openSource(path, Readable.from([]))).content()) {
    held = Buffer.concat([held, chunk])
    const whole = wholeLines(held)
    if (whole > 0) yield decoded(held.subarray(0, whole))
    held = held.subarray(whole)
    if (held.length > longestRow) {
      decoded(held)
      throw refusedMapping(
        `${fileName} line ${line} has no line end within ${longestRow / 2 ** 20} MiB: is it a CSV file?`,
      )
    }
  }
  if (held.length > 0) yield decoded(held)
}

const faultText = (fileName: string, { line, fault, remedy }: Extract<CsvRow, RowFault>): string =>
  `${fileName} line ${line}: ${fault}. ${remedy}`

/** Whether a first line has values of customers, such as numbers or CUPS, in place of names of columns: no message may show it. */
export const looksLikeData = (cells: readonly string[]): boolean =>
  cells.some((cell) => /^[\s\d.,:/+-]*\d[\s\d.,:/+-]*$|\d{4}|@/.test(cell))

/** The remedy for a first line that looks like data. */
export const namelessHint = (cells: readonly string[]): string =>
  `the first line, of ${counted(cells.length, 'cell')}, looks like data. Declare the columns of a file without a header: columns cups, day, …`

/** Refuses names that cannot be those of the columns of a table. */
const refuseHeader = (
  fileName: string,
  columns: readonly string[],
  { name, delimiter, columns: declared }: Source,
): void => {
  const place = declared === undefined ? `${fileName} line 1` : `The columns of the source ${name}`
  const refuse = (what: string): FileFailure => refusedMapping(`${place}: ${what}`)
  const [only = ''] = columns
  const other = [';', ',', '\t', '|'].find((mark) => mark !== delimiter && only.includes(mark))
  if (columns.length === 1 && other !== undefined)
    throw refuse(
      `the header has one cell, with ${JSON.stringify(other)} in it, and the source ${name} declares the delimiter ${JSON.stringify(delimiter)}. Declare the delimiter of the file.`,
    )
  const lower = columns.map((column) => column.toLowerCase())
  const unnamed = columns.findIndex((column) => column.trim() === '')
  const isLast = unnamed >= 1 && unnamed === columns.length - 1
  if (unnamed >= 0)
    throw refuse(
      `cell ${unnamed + 1} of the header is empty. Each column needs a name.${isLast ? ' If each row ends with a delimiter, declare: last empty' : ''}`,
    )
  const twice = columns.find((_, at) => lower.indexOf(lower[at] ?? '') !== at)
  if (twice !== undefined)
    throw refuse(looksLikeData(columns) ? namelessHint(columns) : `two columns have the name ${twice}.`)
  if (lower.includes('_line'))
    throw refuse('no column may have the name _line, which is the number of the line.')
}

const createTable = async (
  { run, connection }: Database,
  name: string,
  columns: readonly string[],
): Promise<DuckDBAppender> => {
  await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  const types = columns.map((column) => `, ${quoted(column)} VARCHAR`).join('')
  await run(`CREATE TABLE ${schema}.${quoted(name)} (_line INTEGER${types})`)
  return tried(() => connection.createAppender(name, schema))
}

/** Appends a row. An empty cell is null. */
const append = (appender: DuckDBAppender, line: number, cells: readonly string[]): void => {
  appender.appendInteger(line)
  for (const cell of cells) {
    if (cell === '') appender.appendNull()
    else appender.appendVarchar(cell)
  }
  appender.endRow()
}

/**
 * Reads the file of a source into a table of texts with the number of each line, `_line`. `reject` gets the rows with a fault;
 * without it the first of them ends the run. Rejects with `FileFailure`.
 */
const load = async (
  database: Database,
  source: Source,
  folders: readonly string[],
  stop: AbortSignal,
  reject: Reject | undefined,
): Promise<Table> => {
  const path = await pathOf(source, folders)
  const fileName = basename(path)
  const reader = rowReader(source)
  let appender: DuckDBAppender | undefined
  let columns: readonly string[] = []
  const begin = async (names: readonly string[]): Promise<void> => {
    columns = names
    refuseHeader(fileName, columns, source)
    appender = await createTable(database, source.name, columns)
  }
  if (source.columns !== undefined) await begin(source.columns)
  let [lastLine, rejected] = [0, 0]
  const spanning = { rows: 0, firstLine: 0 }
  const take = async (found: Iterable<CsvRow>): Promise<void> => {
    const bad: (readonly (string | number)[])[] = []
    for (const row of found) {
      if ('fault' in row) {
        if (reject === undefined || appender === undefined) throw refusedMapping(faultText(fileName, row))
        bad.push([fileName, row.line, row.fault, row.row])
      } else if (appender === undefined) await begin(row.cells)
      else {
        append(appender, row.line, row.cells)
        lastLine = row.line
        if (row.lineFeeds > 0) spanning.rows += 1
        if (spanning.rows === 1 && row.lineFeeds > 0) spanning.firstLine = row.line
      }
    }
    rejected += bad.length
    if (bad.length > 0) await reject?.(csvOf(bad))
  }
  for await (const text of textOf(path, fileName, source)) {
    if (stop.aborted) throw interrupted()
    await tried(() => take(reader.push(text)))
  }
  await tried(() => take(reader.end()))
  if (appender === undefined)
    throw refusedMapping(`${fileName} is empty: its first line has to name the columns.`)
  const filled = appender
  await tried(async () => filled.closeSync())
  await database.run(`CREATE TEMP VIEW ${quoted(source.name)} AS FROM ${schema}.${quoted(source.name)}`)
  return { source, fileName, columns, lastLine, rejected, spanning }
}

/** Reads all sources, one after the other. */
export const loadAll = async (
  database: Database,
  sources: readonly Source[],
  folders: readonly string[],
  stop: AbortSignal,
  reject: Reject | undefined,
): Promise<readonly Table[]> => {
  const tables: Table[] = []
  for (const source of sources) tables.push(await load(database, source, folders, stop, reject))
  return tables
}
