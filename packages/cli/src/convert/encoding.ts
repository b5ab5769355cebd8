/** The place of a byte that is no letter of the encoding. `line` and `column` count from 1, the column in bytes. */
type ByteFault = Readonly<{ line: number; column: number; byte: number }>

/** Lines as text, or the place of a fault in them; the line of the fault counts from the first of these lines. */
type Decoded = Readonly<{ text: string } | { fault: ByteFault }>

/** Decodes whole lines. Every call stands for itself. */
export type LineDecoder = Readonly<{
  /** The bytes up to the last line end, in whole lines; 0 without one. */
  wholeLines(bytes: Buffer): number
  decode(lines: Buffer): Decoded
}>

/** The letters of 0x80 to 0x9f in Windows-1252. Node 20 decodes these as ISO 8859-1 does, so TextDecoder is not used for them. */
const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const windows1252 = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (letter) => windows[letter.charCodeAt(0) - 0x80] ?? letter)

/** The canonical name of an encoding; undefined for an unknown one. */
export const nameOfEncoding = (label: string): string | undefined => {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

type TextIfGood = (bytes: Buffer) => string | undefined

const textOf = (encoding: string): TextIfGood => {
  if (encoding === 'windows-1252') return windows1252
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  return (bytes) => {
    try {
      return decoder.decode(bytes)
    } catch {
      return undefined
    }
  }
}

const lineFeed = 0x0a

const lastUtf16LineFeed = (bytes: Buffer, isBigEndian: boolean): number => {
  const low = isBigEndian ? 1 : 0
  for (let at = bytes.length - (bytes.length % 2) - 2; at >= 0; at -= 2)
    if (bytes[at + low] === lineFeed && bytes[at + 1 - low] === 0) return at + 2
  return 0
}

/** The most bytes of one letter, or of one escape sequence, in any encoding. */
const longestLetter = 4

/**
 * The first byte that is no part of a letter, found by halves: a beginning is free of faults if it decodes without the last bytes,
 * which may be a part of a letter.
 */
const faultIn = (lines: Buffer, wholeLines: LineDecoder['wholeLines'], textIfGood: TextIfGood): ByteFault => {
  const longestGood = (length: number): number => {
    for (let good = length; good > Math.max(0, length - longestLetter); good -= 1)
      if (textIfGood(lines.subarray(0, good)) !== undefined) return good
    return 0
  }
  let [good, bad] = [0, lines.length]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (middle <= longestLetter || longestGood(middle) > 0) good = middle
    else bad = middle
  }
  const fault = longestGood(good)
  const before = lines.subarray(0, fault)
  const line = textIfGood(before)?.split('\n').length ?? 1
  return { line, column: fault - wholeLines(before) + 1, byte: lines[fault] ?? 0 }
}

/** A decoder of an encoding that TextDecoder knows. A byte without a letter, and the character 0, are faults. */
export const decoderOf = (encoding: string): LineDecoder => {
  const decoded = textOf(encoding)
  // An encoding of single bytes gives control characters for bytes that have no letter in it.
  const forbidden = encoding.startsWith('utf-') ? /\0/ : /[\0\x80-\x9f]/
  const textIfGood: TextIfGood = (bytes) => {
    const text = decoded(bytes)
    return text === undefined || forbidden.test(text) ? undefined : text
  }
  const isUtf16 = encoding.startsWith('utf-16')
  const wholeLines = (bytes: Buffer): number =>
    isUtf16 ? lastUtf16LineFeed(bytes, encoding === 'utf-16be') : bytes.lastIndexOf(lineFeed) + 1
  return {
    wholeLines,
    decode: (lines) => {
      const text = textIfGood(lines)
      return text === undefined ? { fault: faultIn(lines, wholeLines, textIfGood) } : { text }
    },
  }
}
