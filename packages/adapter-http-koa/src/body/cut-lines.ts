const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * One line, counted from 1, without its line end; `bytes` is undefined for a line over the limit. Or `isLong`: the line is not
 * complete, and the next piece would make it longer than `long`.
 */
export type Cut =
  | Readonly<{ line: number; bytes: Buffer | undefined; isLong?: undefined }>
  | Readonly<{ line: number; isLong: true }>

/** A line that has not ended, in a buffer that doubles, so that a line in many small parts is not copied for each part. */
class Begun {
  private held = Buffer.alloc(0)
  length = 0

  /** `most`: the length that the buffer never has to exceed. */
  add(part: Buffer, most: number): void {
    const needed = this.length + part.length
    if (needed > this.held.length) {
      const wider = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, 2 * this.held.length)))
      this.held.copy(wider, 0, 0, this.length)
      this.held = wider
    }
    part.copy(this.held, this.length)
    this.length = needed
  }

  take(): Buffer {
    const whole = this.held.subarray(0, this.length)
    this.held = Buffer.alloc(0)
    this.length = 0
    return whole
  }
}

const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes

/**
 * Cuts chunks into lines that end with LF or CRLF; the last line may lack the line end. Buffers at most one line within `limit`,
 * and skips the rest of a longer one. Says once for a line that it gets `long`, before it buffers more of it: so a reader that
 * waits then holds only a short piece.
 */
export async function* cutLines(
  chunks: AsyncIterable<Buffer>,
  limit: number,
  long: number,
): AsyncGenerator<Cut> {
  const begun = new Begun()
  let line = 1
  let [isSkipped, isAnnounced] = [false, false]
  // The carriage return of a CRLF does not count.
  const most = limit + 1

  /** The line that ends with these bytes. */
  const ended = (end: Buffer): Cut => {
    let whole = end
    if (begun.length > 0) {
      if (begun.length + end.length <= most) begun.add(end, most)
      else isSkipped = true
      whole = begun.take()
    }
    const bytes = withoutReturn(whole)
    const cut = { line, bytes: isSkipped || bytes.length > limit ? undefined : bytes }
    line += 1
    ;[isSkipped, isAnnounced] = [false, false]
    return cut
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield ended(chunk.subarray(start, end))
      start = end + 1
    }
    const rest = chunk.subarray(start)
    if (isSkipped || rest.length === 0) continue
    if (begun.length + rest.length > most) {
      isSkipped = true
      begun.take()
      continue
    }
    if (!isAnnounced && begun.length + rest.length >= long) {
      isAnnounced = true
      yield { line, isLong: true }
    }
    begun.add(rest, most)
  }
  if (begun.length > 0 || isSkipped) yield ended(Buffer.alloc(0))
}
