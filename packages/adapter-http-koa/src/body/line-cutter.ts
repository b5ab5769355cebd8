const lineFeed = 0x0a
const carriageReturn = 0x0d

/** One line, counted from 1, without what ends it; `undefined` in place of the bytes of a line over the limit. */
export type CutLine = Readonly<{ line: number; bytes: Buffer | undefined }>

/**
 * Cuts chunks into lines that end with LF or CRLF, the last one also without. Holds at most one line within the limit;
 * what is more of a longer one is passed over. The bytes of a line hold until the next chunk.
 */
export class LineCutter {
  private line = 0
  private isTooLong = false
  private held = Buffer.alloc(0)
  private length = 0
  private readonly limit: number

  /** Bytes of the line that has not ended yet. */
  get pending(): number {
    return this.length
  }

  constructor(limit: number) {
    this.limit = limit
  }

  /** Gives the line that has not ended yet all the room that it may need, so that it is not copied as it grows. */
  widen(): void {
    this.copyTo(Buffer.allocUnsafeSlow(this.limit + 1))
  }

  *linesOf(chunk: Buffer): Generator<CutLine> {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield this.ended(chunk.subarray(start, end))
      start = end + 1
    }
    this.hold(chunk.subarray(start))
  }

  /** The bytes after the last line feed. */
  *rest(): Generator<CutLine> {
    if (this.length > 0 || this.isTooLong) yield this.ended(Buffer.alloc(0))
  }

  private ended(end: Buffer): CutLine {
    let whole = end
    if (this.length > 0 || this.isTooLong) {
      this.hold(end)
      whole = this.held.subarray(0, this.length)
    }
    const bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole
    const isTooLong = this.isTooLong || bytes.length > this.limit
    this.line += 1
    this.isTooLong = false
    this.release()
    return { line: this.line, bytes: isTooLong ? undefined : bytes }
  }

  /** Keeps a part of a line. The buffer doubles, so that a line in many small parts is not copied for each of them. */
  private hold(part: Buffer): void {
    const needed = this.length + part.length
    // The carriage return of a CRLF does not count.
    if (this.isTooLong || needed > this.limit + 1) {
      this.isTooLong = true
      this.release()
      return
    }
    if (needed > this.held.length) {
      this.copyTo(Buffer.allocUnsafeSlow(Math.min(this.limit + 1, Math.max(needed, 2 * this.held.length))))
    }
    part.copy(this.held, this.length)
    this.length = needed
  }

  private copyTo(wider: Buffer<ArrayBuffer>): void {
    this.held.copy(wider, 0, 0, this.length)
    this.held = wider
  }

  private release(): void {
    this.held = Buffer.alloc(0)
    this.length = 0
  }
}
