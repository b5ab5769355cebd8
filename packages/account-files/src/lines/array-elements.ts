import { FileFailure } from '../outcomes/file-failure.js'
import { joined } from './lines-of.js'

const [lineFeed, quote, backslash, comma, blank] = [0x0a, 0x22, 0x5c, 0x2c, 0x20] as const
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d] as const
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, lineFeed])
/** The byte order mark of UTF-8. */
const markBytes: readonly number[] = [0xef, 0xbb, 0xbf]

/** Brackets that are remembered at most: deeper values would need memory without bound. The check of each element allows less. */
const deepest = 1_000_000

/** The most blanks before the array, so that they need little memory. */
const mostBlanks = 65_536

/**
 * Reads one array from chunks, and writes each element as one line, so that the number of an element is that of its line. It
 * checks the structure of the array alone: whether an element is JSON is checked later, as of any line.
 */
class ArrayReader {
  private element = 1
  private line: number
  /** The closing brackets that are expected, the innermost last. Empty after the end of the array. */
  private readonly open: number[] = [closeList]
  private inText = false
  private isEscaped = false
  /** Whether the present element has any byte but blanks. */
  private hasBytes = false
  private lastWasBlank = true
  private out = new Uint8Array()
  private length = 0

  /** `line`: the number of the line of the file in which the array begins. */
  constructor(line: number) {
    this.line = line
  }

  /** The lines, or parts of a line, that a chunk has. Throws a `FileFailure` at the first fault of the structure. */
  push(chunk: Uint8Array): Uint8Array {
    // Each byte is written at most once, a comma as the end of a line.
    this.out = new Uint8Array(chunk.length + 1)
    this.length = 0
    for (const byte of chunk) {
      if (this.inText) this.takeInText(byte)
      else this.take(byte)
    }
    return this.out.subarray(0, this.length)
  }

  /** Throws a `FileFailure` unless the array has ended. */
  end(): void {
    if (this.open.length > 0) throw this.fault('The file ends before the end of the array: it is cut short')
  }

  private write(byte: number): void {
    this.out[this.length++] = byte
  }

  private takeInText(byte: number): void {
    if (byte === lineFeed) throw this.fault('A text is not closed at the end of its line')
    this.write(byte)
    if (this.isEscaped) this.isEscaped = false
    else if (byte === backslash) this.isEscaped = true
    else if (byte === quote) this.inText = false
  }

  private take(byte: number): void {
    if (byte === lineFeed) this.line += 1
    if (blanks.has(byte)) {
      // Indentation would make a line longer than its account.
      if (!this.lastWasBlank) this.write(blank)
      this.lastWasBlank = true
      return
    }
    this.lastWasBlank = false
    const isInElement = this.open.length > 1
    if (this.open.length === 0) throw this.fault('Something follows the end of the array')
    if (byte === comma && !isInElement) return this.endElement()
    if (byte === closeList || byte === closeObject) return this.close(byte)
    this.hasBytes = true
    this.write(byte)
    if (byte === quote) this.inText = true
    if (byte === openList || byte === openObject) {
      if (this.open.length > deepest) throw this.fault('The values are nested too deep')
      this.open.push(byte === openList ? closeList : closeObject)
    }
  }

  private close(byte: number): void {
    if (byte !== this.open.pop()) throw this.fault(`There is a wrong ${String.fromCharCode(byte)}`)
    if (this.open.length > 0) return this.write(byte)
    const isEmpty = this.element === 1 && !this.hasBytes
    if (!isEmpty) this.endElement()
  }

  private endElement(): void {
    if (!this.hasBytes) throw this.fault('An element is missing')
    this.write(lineFeed)
    this.element += 1
    this.hasBytes = false
    this.lastWasBlank = true
  }

  private fault(what: string): FileFailure {
    return new FileFailure(
      'not_one_account_a_line',
      `${what}, at element ${this.element} of the array, line ${this.line} of the file. Correct the file, or write one account a line (NDJSON).`,
    )
  }
}

/** The first byte that is no blank and no byte order mark, and its place; undefined where there is none yet. */
const beginning = (head: Uint8Array): number | undefined => {
  const isMark = markBytes.every((byte, at) => at >= head.length || head[at] === byte)
  // The rest of the mark may be in the next chunk.
  if (isMark && head.length < markBytes.length) return undefined
  const from = isMark ? markBytes.length : 0
  const at = head.findIndex((byte, index) => index >= from && !blanks.has(byte))
  return at < 0 ? undefined : at
}

/**
 * The content of a file of accounts, one account a line. A JSON array is turned into lines while it is read, in constant memory:
 * one line for each element. Any other content stays as it is. Rejects with a `FileFailure`, with the place, at a fault of the
 * array, such as its missing end.
 */
export async function* arrayElements(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array()
  let reader: ArrayReader | undefined
  for await (const chunk of content) {
    if (head === undefined) {
      yield reader === undefined ? chunk : reader.push(chunk)
      continue
    }
    head = joined([head, chunk])
    const at = beginning(head)
    if (at === undefined && head.length < mostBlanks) continue
    if (at !== undefined && head[at] === openList) {
      reader = new ArrayReader(head.subarray(0, at).filter((byte) => byte === lineFeed).length + 1)
      // Blank lines before the array are no elements.
      yield reader.push(head.subarray(at + 1))
    } else yield head
    head = undefined
  }
  if (head !== undefined && head.length > 0) yield head
  reader?.end()
}
