import { bodyLimitBytes } from '@account-import/http-contract'
import { FileFailure } from '../outcomes/file-failure.js'
import { arrayElements } from './array-elements.js'
import { formatFault } from './formats.js'
import { isBlank, linesOf } from './lines-of.js'

const oneDocument =
  'The file looks like one JSON object over several lines. Write one account a line (NDJSON), or put [ and ] around it: an array' +
  ' of accounts is read too.'

/** The command that converts CSV, as people type it, and the page that shows how. */
export type Conversion = Readonly<{ command: string; page: string }>

const csv = ({ command, page }: Conversion): string =>
  `The file looks like CSV. Convert it to accounts by one SQL query first: ${command} writes an example, and ${page} shows how.`

/** The form of a column name in exports; a letter of another encoding than UTF-8 is decoded as U+FFFD. */
const columnName = /^"?[\p{L}\ufffd_#][^{}[\]":;,\t]*"?$/u

/** Whether a line has at least two column names, or three in quotes: two quoted texts may be broken JSON. */
const isCsvHead = (line: string): boolean =>
  [';', ',', '\t', '|'].some((mark) => {
    const names = line.split(mark)
    return names.length >= (line.includes('"') ? 3 : 2) && names.every((name) => columnName.test(name.trim()))
  })

const firstLine = (bytes: Uint8Array): string => {
  for (const { start, end } of linesOf(bytes)) {
    const line = bytes.subarray(start, end)
    if (!isBlank(line)) return new TextDecoder().decode(line.subarray(0, 1024)).trim()
  }
  return ''
}

/**
 * The message about a wrong format of the whole file, found by its beginning: a compressed file or another encoding, CSV, or a document
 * over several lines. Without this check each line would fail, without a hint at the cause.
 */
const inputFault = (bytes: Uint8Array, conversion: Conversion): string | undefined => {
  const format = formatFault(bytes)
  if (format !== undefined) return format
  const line = firstLine(bytes)
  if (line === '{') return oneDocument
  return isCsvHead(line) ? csv(conversion) : undefined
}

const lineFeed = 0x0a

/**
 * A part of the input, in order.
 *
 * - `lines`: whole lines, the last of them without line feed only at the end of the input
 * - `long line`: a part of one line that is too long for memory; `ends` is true for its last part
 */
export type Piece =
  | Readonly<{ kind: 'lines'; bytes: Uint8Array<ArrayBuffer> }>
  | Readonly<{ kind: 'long line'; bytes: Uint8Array; ends: boolean }>

/** A line of this length is over the limit even if its last byte is the carriage return of a CRLF. */
const hopelessBytes = bodyLimitBytes + 2

/** A buffer of whole lines and of an incomplete last line. */
const heldBytes = (capacity: number) => {
  let buffer = new Uint8Array(capacity)
  let length = 0
  /** Bytes up to the last line feed. */
  let whole = 0
  const reserve = (needed: number): void => {
    if (needed <= buffer.length) return
    const wider = new Uint8Array(Math.max(needed, 2 * buffer.length))
    wider.set(buffer.subarray(0, length))
    buffer = wider
  }
  return {
    push: (chunk: Uint8Array): void => {
      const end = chunk.lastIndexOf(lineFeed) + 1
      if (end > 0) whole = length + end
      reserve(length + chunk.length)
      buffer.set(chunk, length)
      length += chunk.length
    },
    whole: (): number => whole,
    /** Bytes of the incomplete last line. */
    open: (): number => length - whole,
    /** Removes and returns the first bytes, in a buffer that can be transferred to a thread; copies the rest. */
    take: (bytes: number): Uint8Array<ArrayBuffer> => {
      const taken = buffer.subarray(0, bytes)
      const rest = buffer.subarray(bytes, length)
      buffer = new Uint8Array(Math.max(capacity, rest.length))
      buffer.set(rest)
      length = rest.length
      whole = Math.max(0, whole - bytes)
      return taken
    },
  }
}

/**
 * Cuts the input into pieces of whole lines of about `size` bytes. Buffers at most `size`, one line within the limit
 * of a body and one chunk, for any input.
 */
const cutter = (size: number) => {
  const held = heldBytes(2 * size)
  let inLongLine = false
  return {
    /** The pieces that a chunk completes. */
    *push(chunk: Uint8Array): Generator<Piece> {
      let rest = chunk
      if (inLongLine) {
        const end = chunk.indexOf(lineFeed) + 1
        inLongLine = end === 0
        const bytes = end === 0 ? chunk : chunk.subarray(0, end)
        yield { kind: 'long line', bytes, ends: end > 0 }
        rest = chunk.subarray(bytes.length)
      }
      if (rest.length > 0) held.push(rest)
      if (held.whole() >= size || (held.whole() > 0 && held.open() >= hopelessBytes))
        yield { kind: 'lines', bytes: held.take(held.whole()) }
      if (held.open() >= hopelessBytes) {
        inLongLine = true
        yield { kind: 'long line', bytes: held.take(held.open()), ends: false }
      }
    },
    /** The rest at the end of the input. */
    *end(): Generator<Piece> {
      const left = held.whole() + held.open()
      if (inLongLine) yield { kind: 'long line', bytes: new Uint8Array(), ends: true }
      else if (left > 0) yield { kind: 'lines', bytes: held.take(left) }
    },
  }
}

/**
 * The pieces of an input, of about `size` bytes each. Rejects as `content` does, and with a `FileFailure` where the input is not one
 * account a line.
 */
export async function* piecesOf(
  content: AsyncIterable<Uint8Array>,
  size: number,
  conversion: Conversion,
): AsyncGenerator<Piece> {
  const pieces = cutter(size)
  let isFirst = true
  const checked = (piece: Piece): Piece => {
    const fault = isFirst ? inputFault(piece.bytes, conversion) : undefined
    if (fault !== undefined) throw new FileFailure('not_one_account_a_line', fault)
    isFirst = false
    return piece
  }
  for await (const chunk of arrayElements(content))
    for (const piece of pieces.push(chunk)) yield checked(piece)
  for (const piece of pieces.end()) yield checked(piece)
}
