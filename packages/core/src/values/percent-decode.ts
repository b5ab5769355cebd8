const PERCENT = 0x25

/** Decodes valid `%HH` escapes as UTF-8 and leaves everything else as it is. The text must be well-formed. */
export const percentDecode = (text: string): string => {
  let decoded = ''
  let copied = 0
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at)) {
    const byte = escapedByte(text, at)
    if (byte > 0x7f && escapedByte(text, at + 3) > 0x7f) return decodeBytes(text)
    if (byte >= 0) {
      // A lone byte beyond ASCII is no character in UTF-8.
      decoded += text.slice(copied, at) + (byte > 0x7f ? '\ufffd' : String.fromCharCode(byte))
      copied = at + 3
    }
    at += byte >= 0 ? 3 : 1
  }
  return copied === 0 ? text : decoded + text.slice(copied)
}

/** The byte that the `%HH` at this index stands for; -1 if there is none. */
const escapedByte = (text: string, at: number): number => {
  const high = hexDigit(text.charCodeAt(at + 1))
  const low = hexDigit(text.charCodeAt(at + 2))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

const hexDigit = (unit: number): number => {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  const letter = unit | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/**
 * The same over the bytes of the whole text, for several escapes that together make one character. One call of the
 * decoder serves all: what stands around an escape never begins with a continuation byte, so that an incomplete
 * sequence cannot be completed by its neighbours.
 */
const decodeBytes = (text: string): string => {
  const bytes = encoder.encode(text)
  let end = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] === PERCENT ? byteOf(bytes, at) : -1
    bytes[end++] = byte < 0 ? (bytes[at] as number) : byte
    if (byte >= 0) at += 2
  }
  return decoder.decode(bytes.subarray(0, end))
}

const byteOf = (bytes: Uint8Array, at: number): number => {
  const high = hexDigit(bytes[at + 1] ?? 0)
  const low = hexDigit(bytes[at + 2] ?? 0)
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
