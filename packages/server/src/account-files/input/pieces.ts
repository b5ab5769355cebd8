import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { bodyLimitBytes } from '@account-import/http-contract'
import { documentation } from '../../documentation.js'
import { typed } from '../../program-name.js'
import { FileFailure, reasonOf } from '../file-failure.js'
import { isBlank, linesOf } from './lines-of.js'
import { type Source, unreadable } from './source.js'

const refused = (words: string): FileFailure => new FileFailure('not_one_account_a_line', words)

const utf16 = (): FileFailure =>
  refused('The file is in UTF-16. Save it as UTF-8, one JSON account a line (NDJSON).')

const zipped = (): FileFailure =>
  refused(
    `The file is a zip archive. Unpack it first, for example: unzip -p FILE | ${typed('validate -')}` +
      ' (gzip is read as it is; a spreadsheet is a zip archive too).',
  )

const oneDocument = (): FileFailure =>
  refused(
    'The file looks like one JSON document. Write one account a line (NDJSON), for example with:' +
      " jq -c '.[]' FILE for an array of accounts, jq -c . FILE for a single one.",
  )

const csv = (): FileFailure =>
  refused(
    'The file looks like CSV. Write one JSON account a line (NDJSON) first:' +
      ` ${documentation}/tutorials/from-a-csv-export.md shows how.`,
  )

/** The name of a column, as exports write it. */
const columnName = /^\ufeff?"?[\p{L}_][\p{L}\d _.()/-]*"?$/u

/** Three columns or more, each with a name. */
const isCsvHead = (line: string): boolean =>
  [';', ',', '\t'].some((mark) => {
    const names = line.split(mark)
    return names.length >= 3 && names.every((name) => columnName.test(name.trim()))
  })

const firstLine = (bytes: Uint8Array): string => {
  for (const { start, end } of linesOf(bytes)) {
    const line = bytes.subarray(start, end)
    if (!isBlank(line)) return new TextDecoder().decode(line.subarray(0, 1024)).trim()
  }
  return ''
}

const startsWithUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

const startsAsZip = ([p, k, third = 0, fourth]: Uint8Array): boolean =>
  p === 0x50 && k === 0x4b && [3, 5, 7].includes(third) && fourth === third + 1

/**
 * The fault in the form of a whole file, seen by its beginning: a zip archive, UTF-16, CSV, an array, or a document over several
 * lines. Each of its lines would fail, and that would not tell how to go on.
 */
export const inputFailure = (bytes: Uint8Array): FileFailure | undefined => {
  if (startsAsZip(bytes)) return zipped()
  if (startsWithUtf16Mark(bytes)) return utf16()
  const line = firstLine(bytes)
  if (line === '{' || line.startsWith('[')) return oneDocument()
  return isCsvHead(line) ? csv() : undefined
}

/** The bytes of a source as they come, counted and hashed on their way. */
export class Metered {
  bytes = 0
  private readonly hash = createHash('sha256')
  private readonly source: Source

  constructor(source: Source) {
    this.source = source
  }

  /** A chunk may only be used until the next one is asked for. Rejects with `input_unreadable`. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.source.chunks()) {
        this.bytes += chunk.length
        this.hash.update(chunk)
        yield chunk
      }
    } catch (cause) {
      throw unreadable(this.source.name, cause)
    }
  }

  /** SHA-256 of all bytes in hexadecimal; only once, at the end. */
  sha256(): string {
    return this.hash.digest('hex')
  }
}

type Chunks = AsyncGenerator<Uint8Array>

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

/** At least two bytes, or all there are. */
const headOf = async (chunks: Chunks): Promise<Uint8Array> => {
  let head = new Uint8Array()
  while (head.length < 2) {
    const next = await chunks.next()
    if (next.done === true) return head
    head = Buffer.concat([head, next.value])
  }
  return head
}

async function* joined(head: Uint8Array, rest: Chunks): Chunks {
  yield head
  yield* rest
}

const damaged = (cause: unknown): FileFailure =>
  cause instanceof FileFailure
    ? cause
    : new FileFailure(
        'input_unreadable',
        `The gzip data is damaged or cut short (${reasonOf(cause)}). Pack the file again.`,
      )

/** The unpacking stream reads ahead, and chunks hold only until the next one. */
async function* copies(chunks: Chunks): Chunks {
  for await (const chunk of chunks) yield Uint8Array.from(chunk)
}

async function* gunzipped(packed: Chunks): Chunks {
  const gunzip = createGunzip({ chunkSize: 262_144 })
  // A failure on the way in destroys the unpacking stream, so reading that one rejects with it.
  pipeline(Readable.from(copies(packed)), gunzip, () => undefined)
  try {
    yield* gunzip as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw damaged(cause)
  }
}

/** The bytes, unpacked if they begin as gzip does. Rejects with `input_unreadable` where gzip is damaged. */
export async function* unpacked(chunks: Chunks): Chunks {
  const head = await headOf(chunks)
  yield* isGzip(head) ? gunzipped(joined(head, chunks)) : joined(head, chunks)
}

const lineFeed = 0x0a

/**
 * A part of the input, in order.
 *
 * - `lines`: whole lines, the last of them without line feed only at the end of the input
 * - `long line`: a part of one line that is too long to be held; `ends` with the part that holds its end
 */
export type Piece =
  | Readonly<{ kind: 'lines'; bytes: Uint8Array<ArrayBuffer> }>
  | Readonly<{ kind: 'long line'; bytes: Uint8Array; ends: boolean }>

/** A line of so many bytes is over the limit, whether or not its last byte is the carriage return of a CRLF. */
const hopelessBytes = bodyLimitBytes + 2

/** Bytes of whole lines and of the line that is still coming. */
class Held {
  private buffer: Uint8Array<ArrayBuffer>
  private length = 0
  private readonly capacity: number
  /** Bytes up to the last line feed. */
  whole = 0

  constructor(capacity: number) {
    this.capacity = capacity
    this.buffer = new Uint8Array(capacity)
  }

  push(chunk: Uint8Array): void {
    const end = chunk.lastIndexOf(lineFeed) + 1
    if (end > 0) this.whole = this.length + end
    this.reserve(this.length + chunk.length)
    this.buffer.set(chunk, this.length)
    this.length += chunk.length
  }

  /** Bytes of the line that is still coming. */
  get open(): number {
    return this.length - this.whole
  }

  /** Gives that many bytes away, for another thread to have; what is left is copied. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    const taken = this.buffer.subarray(0, bytes)
    const rest = this.buffer.subarray(bytes, this.length)
    this.buffer = new Uint8Array(Math.max(this.capacity, rest.length))
    this.buffer.set(rest)
    this.length = rest.length
    this.whole = Math.max(0, this.whole - bytes)
    return taken
  }

  private reserve(needed: number): void {
    if (needed <= this.buffer.length) return
    const wider = new Uint8Array(Math.max(needed, 2 * this.buffer.length))
    wider.set(this.buffer.subarray(0, this.length))
    this.buffer = wider
  }
}

/** Hands on what belongs to a long line; the rest of the chunk in which it ends. */
const longLinePart = (chunk: Uint8Array): Readonly<{ piece: Piece; rest: Uint8Array; ends: boolean }> => {
  const end = chunk.indexOf(lineFeed) + 1
  const ends = end > 0
  const bytes = ends ? chunk.subarray(0, end) : chunk
  return { piece: { kind: 'long line', bytes, ends }, rest: chunk.subarray(bytes.length), ends }
}

/**
 * Cuts the input into pieces of whole lines of about `size` bytes. Holds at most `size`, one line within the limit
 * of a body and one chunk, whatever comes.
 */
export async function* pieces(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Piece> {
  const held = new Held(2 * size)
  let inLongLine = false
  for await (const chunk of chunks) {
    let rest: Uint8Array = chunk
    if (inLongLine) {
      const part = longLinePart(chunk)
      yield part.piece
      inLongLine = !part.ends
      rest = part.rest
    }
    if (rest.length > 0) held.push(rest)
    if (held.whole >= size || (held.whole > 0 && held.open >= hopelessBytes))
      yield { kind: 'lines', bytes: held.take(held.whole) }
    if (held.open >= hopelessBytes) {
      inLongLine = true
      yield { kind: 'long line', bytes: held.take(held.open), ends: false }
    }
  }
  if (inLongLine) yield { kind: 'long line', bytes: new Uint8Array(), ends: true }
  else if (held.whole + held.open > 0) yield { kind: 'lines', bytes: held.take(held.whole + held.open) }
}
