/** What is wrong with a document path: section 3. */
export type DocumentPathFault = 'document_path_outside_root' | 'invalid'

/**
 * Judges a document path, which must stay inside the supplier's document root however it is read: as sent, and
 * percent-decoded once and twice, each in Unicode form NFKC.
 */
export const judgeDocumentPath = (path: string): DocumentPathFault | undefined => {
  // Plain ASCII without escapes is the same text in all readings.
  const readings = plainForm.test(path) ? [path] : readingsOf(path)
  if (readings.some(isOutsideRoot)) return 'document_path_outside_root'
  return readings.some(hasForbiddenCharacter) || hasEmptySegment(readings[0] ?? path) ? 'invalid' : undefined
}

const plainForm = /^[ -$&-~]*$/

/** As sent, decoded once and decoded twice. */
const readingsOf = (path: string): readonly string[] => {
  const once = percentDecode(path)
  return [path, once, percentDecode(once)].map((reading) => reading.normalize('NFKC'))
}

/** Decodes the valid `%HH` as UTF-8 and leaves everything else as it is. */
const percentDecode = (text: string): string => text.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeEscapes)

const decodeEscapes = (escapes: string): string => {
  const bytes = Uint8Array.from({ length: escapes.length / 3 }, (_, index) =>
    parseInt(escapes.slice(3 * index + 1, 3 * index + 3), 16),
  )
  const [only] = bytes
  return bytes.length === 1 && only !== undefined && only < 0x80
    ? String.fromCharCode(only)
    : utf8.decode(bytes)
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** It begins at a root, a drive or a scheme, or climbs, even where that would lead back inside. */
const isOutsideRoot = (path: string): boolean => outside.test(path)

const outside = /^[/\\]|^\p{L}:|:\/\/|(?:^|[/\\])\.\.(?:$|[/\\])/u

const hasForbiddenCharacter = (path: string): boolean => forbidden.test(path)

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const forbidden = /[\u0000-\u001f\u007f\\]/

/** An empty segment or a segment `.`, or a slash at the end. */
const hasEmptySegment = (path: string): boolean => emptySegment.test(path)

const emptySegment = /(?:^|\/)\.?(?:\/|$)/
