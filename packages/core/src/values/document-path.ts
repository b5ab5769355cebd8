const PERCENT = 0x25

/** Decodes valid `%HH` escapes as UTF-8 and changes nothing else. The text must be well-formed. */
const percentDecode = (text: string): string => {
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

/** The byte of the `%HH` at this index; -1 if there is none. */
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
 * Decodes the bytes of the whole text, for several escapes that together are one character. One call of the decoder is
 * enough: text next to an escape never begins with a continuation byte, so it cannot complete an incomplete sequence.
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

/**
 * The characters outside of ASCII whose NFKC form (Unicode 17) contains a dot, a slash, a backslash or a colon. None of
 * these four combines with its neighbours, so each character can be checked alone.
 */
const makers =
  '\u2024-\u2026\u2100\u2101\u2105\u2106\u2488-\u249b\u2a74\u33c2\u33c7\u33d8\ufe13\ufe19\ufe30\ufe52\ufe55\ufe68\uff0e\uff0f\uff1a\uff3c\u{1f100}'

const maker = new RegExp(`[${makers}]`, 'u')
const others = new RegExp(`[^\\u0000-\\u007f${makers}]+`, 'gu')

/**
 * The characters of a text's NFKC form that matter for a path: dots, slashes, backslashes, colons and control characters in
 * their order in NFKC; each run of other characters outside of ASCII becomes an `x`. Normalising the whole text could make it
 * 18 times as long, and takes quadratic time for many combining marks in a row.
 */
const skeletonOf = (text: string): string =>
  maker.test(text) ? text.replace(others, 'x').normalize('NFKC') : text

const colon = /[:\u2a74\ufe13\ufe55\uff1a]/

/** The most UTF-16 units that NFKC composes to one letter: six characters, each a surrogate pair. */
const mostUnitsOfLetter = 12

/** Whether the text begins with a letter and a colon in NFKC. */
const beginsWithDrive = (text: string): boolean => {
  const end = text.search(colon)
  return end > 0 && end <= mostUnitsOfLetter && /^\p{L}$/u.test(text.slice(0, end).normalize('NFKC'))
}

/** See docs/reference/types.md#types-of-fields. */
type DocumentPathCode = 'document_path_outside_root' | 'invalid'

/**
 * The fault of a document path, which must be inside the supplier's document root in all interpretations: as sent, and
 * percent-decoded once and twice, each in Unicode form NFKC.
 */
export const documentPathCode = (path: string): DocumentPathCode | undefined => {
  const interpretations = interpretationsOf(path)
  const skeletons = interpretations.map(skeletonOf)
  if (interpretations.some(beginsWithDrive) || skeletons.some(isOutsideRoot))
    return 'document_path_outside_root'
  return skeletons.some(hasForbiddenCharacter) || hasEmptySegment(skeletons[0] ?? path)
    ? 'invalid'
    : undefined
}

/** All interpretations of a path by storages and their proxies: as sent, decoded once and decoded twice, each once. */
export const interpretationsOf = (path: string): readonly string[] => {
  const once = percentDecode(path)
  if (once === path) return [path]
  const twice = percentDecode(once)
  return twice === once ? [path, once] : [path, once, twice]
}

/** Whether the path begins with a slash, has a scheme or a segment `..`, even if its target is inside. */
const isOutsideRoot = (path: string): boolean => outside.test(path)

const outside = /^[/\\]|:\/\/|(?:^|[/\\])\.\.(?:$|[/\\])/

const hasForbiddenCharacter = (path: string): boolean => forbidden.test(path)

// oxlint-disable-next-line no-control-regex -- it matches control characters
const forbidden = /[\u0000-\u001f\u007f\\]/

/** An empty segment or a segment `.`, or a slash at the end. */
const hasEmptySegment = (path: string): boolean => emptySegment.test(path)

const emptySegment = /(?:^|\/)\.?(?:\/|$)/

/** The longest key that object stores take, in bytes of UTF-8. */
const mostBytes = 1024

/**
 * The key of a document in the bucket: the supplier's document root, a slash and the path exactly as sent; an empty root is
 * the bucket itself. Undefined if no document can have it: root or path break the rules of document paths (and might be
 * outside the root), or take more than 1024 bytes together.
 */
export const documentKey = (documentRoot: string, path: string): string | undefined => {
  if (documentRoot === '') return isDocumentKey(path) ? path : undefined
  const key = `${documentRoot}/${path}`
  return isDocumentKey(documentRoot) && isDocumentKey(path) && isDocumentKey(key) ? key : undefined
}

/** Whether a document can have this key: a well-formed document path of at most 1024 bytes. */
export const isDocumentKey = (key: string): boolean =>
  !loneSurrogate.test(key) &&
  (key.length * 3 <= mostBytes || encoder.encode(key).length <= mostBytes) &&
  documentPathCode(key) === undefined

const loneSurrogate = /\p{Surrogate}/u
