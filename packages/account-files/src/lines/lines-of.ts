const lineFeed = 0x0a
const blanks = new Set([0x20, 0x09, 0x0d])

/** A line of a batch: `start` to `end` without its line feed, `next` where the next line begins. */
export type LineRange = Readonly<{ start: number; end: number; next: number }>

/** The number of lines that `linesOf` yields. */
export const linesIn = (bytes: Uint8Array): number => {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1
  return bytes.length > 0 && bytes.at(-1) !== lineFeed ? count + 1 : count
}

/** Every line of the bytes in order; a last one without line feed too, unless it is empty. */
export function* linesOf(bytes: Uint8Array): Generator<LineRange> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineFeed, start)
    const end = found < 0 ? bytes.length : found
    const next = found < 0 ? bytes.length : found + 1
    yield { start, end, next }
    start = next
  }
}

/** The bytes of all parts in a buffer of its own, which can be transferred to another thread. */
export const joined = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The bytes, with each line that is not kept reduced to its line end, so that lines keep their numbers. */
export const blanked = (
  bytes: Uint8Array<ArrayBuffer>,
  isKept: (line: LineRange) => boolean,
): Uint8Array<ArrayBuffer> => {
  const end = Uint8Array.of(lineFeed)
  return joined(
    Array.from(linesOf(bytes), (line) => (isKept(line) ? bytes.subarray(line.start, line.next) : end)),
  )
}

const startsWithMark = (line: Uint8Array): boolean => line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf

/** Whether a line contains only blanks; ignores the byte order mark of a file. */
export const isBlank = (line: Uint8Array): boolean => {
  for (let index = startsWithMark(line) ? 3 : 0; index < line.length; index++)
    if (!blanks.has(line[index] ?? 0)) return false
  return true
}
