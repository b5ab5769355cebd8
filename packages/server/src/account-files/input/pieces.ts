import { bodyLimitBytes } from '@account-import/http-contract'

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

/**
 * Cuts the input into pieces of whole lines of about `size` bytes. Holds at most `size`, one line within the limit
 * of a body and one chunk, whatever comes.
 */
export class Cutter {
  private readonly held: Held
  private readonly size: number
  private inLongLine = false

  constructor(size: number) {
    this.size = size
    this.held = new Held(2 * size)
  }

  /** The pieces that a chunk completes. */
  *push(chunk: Uint8Array): Generator<Piece> {
    const { held } = this
    let rest = chunk
    if (this.inLongLine) {
      const end = chunk.indexOf(lineFeed) + 1
      this.inLongLine = end === 0
      const bytes = end === 0 ? chunk : chunk.subarray(0, end)
      yield { kind: 'long line', bytes, ends: end > 0 }
      rest = chunk.subarray(bytes.length)
    }
    if (rest.length > 0) held.push(rest)
    if (held.whole >= this.size || (held.whole > 0 && held.open >= hopelessBytes))
      yield { kind: 'lines', bytes: held.take(held.whole) }
    if (held.open >= hopelessBytes) {
      this.inLongLine = true
      yield { kind: 'long line', bytes: held.take(held.open), ends: false }
    }
  }

  /** The rest at the end of the input. */
  *end(): Generator<Piece> {
    const { held } = this
    if (this.inLongLine) yield { kind: 'long line', bytes: new Uint8Array(), ends: true }
    else if (held.whole + held.open > 0) yield { kind: 'lines', bytes: held.take(held.whole + held.open) }
  }
}
