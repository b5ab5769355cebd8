import { basename, extname } from 'node:path'
import { Readable } from 'node:stream'
import { openSource } from '../account-files/input/source.js'
import { rowReader } from './csv-rows.js'
import { decoderOf } from './encoding.js'
import { refusedMapping } from './sources.js'
import { looksLikeData } from './tables.js'

/** A guess at the form of a file from its first rows. */
export type Inspected = Readonly<{
  /** A name for its table in SQL. */
  name: string
  file: string
  delimiter: string
  quote: '"' | undefined
  encoding: string
  /** From its first line, or numbered where that looks like data. */
  columns: readonly string[]
  isHeaderless: boolean
  endsEmpty: boolean
  /** The columns whose values are all there and differ in these rows. */
  unique: readonly string[]
}>

/** The bytes of a file that are looked at. */
const sampleBytes = 1024 * 1024

const sampleOf = async (path: string): Promise<Readonly<{ bytes: Buffer; isWhole: boolean }>> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of (await openSource(path, Readable.from([]))).content()) {
    chunks.push(Buffer.from(chunk))
    size += chunk.length
    if (size >= sampleBytes) return { bytes: Buffer.concat(chunks), isWhole: false }
  }
  return { bytes: Buffer.concat(chunks), isWhole: true }
}

const marks: readonly (readonly [mark: string, encoding: string])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]

/** The encoding that decodes all whole lines, and their text. */
const decoded = ({ bytes, isWhole }: Awaited<ReturnType<typeof sampleOf>>) => {
  const marked = marks.find(([mark]) => bytes.toString('hex', 0, 2) === mark)?.[1]
  for (const encoding of marked === undefined ? ['utf-8', 'windows-1252'] : [marked]) {
    const { wholeLines, decode } = decoderOf(encoding)
    const lines = decode(isWhole ? bytes : bytes.subarray(0, wholeLines(bytes)))
    if ('text' in lines) return { encoding, text: lines.text.replace(/^\ufeff/, ''), isWhole }
  }
  return undefined
}

type Rows = readonly (readonly string[])[]

type Sample = Readonly<{ text: string; isWhole: boolean }>

/** The rows of a sample by a dialect; undefined if one has a fault. A row that the end of the sample cuts is none. */
const rowsOf = ({ text, isWhole }: Sample, delimiter: string, quote: '"' | undefined): Rows | undefined => {
  const reader = rowReader({ delimiter, quote })
  const rows: (readonly string[])[] = []
  for (const read of isWhole ? [reader.push(text), reader.end()] : [reader.push(text)])
    for (const row of read) {
      if ('fault' in row) return undefined
      rows.push(row.cells)
    }
  return rows
}

/** The dialect by which all rows have the same number of cells, and the most. */
const dialectOf = (sample: Sample) =>
  ([';', ',', '\t', '|'] as const)
    .flatMap((delimiter) =>
      (['"', undefined] as const).flatMap((quote) => {
        const rows = rowsOf(sample, delimiter, quote)
        return rows === undefined ? [] : [{ delimiter, quote, rows }]
      }),
    )
    .toSorted((one, other) => (other.rows[0]?.length ?? 0) - (one.rows[0]?.length ?? 0))[0]

const tableName = (file: string): string => {
  const name = basename(file.replace(/\.gz$/, ''), extname(file.replace(/\.gz$/, '')))
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replace(/^(?![a-z_])/, 't_')
}

/** Looks at the first rows of a file. Rejects with `FileFailure`. */
export const inspect = async (path: string): Promise<Inspected> => {
  const file = basename(path)
  const found = decoded(await sampleOf(path))
  if (found === undefined) throw refusedMapping(`The encoding of ${file} is not known.`)
  const dialect = dialectOf(found)
  const [first] = dialect?.rows ?? []
  const isCut = first?.length === 1 && /[;,\t|]/.test(first[0] ?? '')
  if (dialect === undefined || first === undefined || isCut)
    throw refusedMapping(
      `${file} is no table: no delimiter of ; , tab and | gives each row the same number of cells.`,
    )
  const { rows, delimiter, quote } = dialect
  const endsEmpty = first.length > 1 && rows.every((row) => row.at(-1) === '')
  const isHeaderless = looksLikeData(first)
  const cells = endsEmpty ? first.slice(0, -1) : first
  const columns = isHeaderless ? cells.map((_, at) => `column_${at + 1}`) : cells
  const values = isHeaderless ? rows : rows.slice(1)
  const isUnique = (at: number): boolean =>
    values.every((row) => row[at] !== '') && new Set(values.map((row) => row[at])).size === values.length
  return {
    name: tableName(file),
    file,
    delimiter,
    quote,
    encoding: found.encoding,
    columns,
    isHeaderless,
    endsEmpty,
    unique: columns.filter((_, at) => isUnique(at)),
  }
}
