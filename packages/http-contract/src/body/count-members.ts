const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const colon = 0x3a

/** The index of the quote that ends a string, or the end of the bytes. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let i = start
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}

/**
 * How many members all objects of JSON text in UTF-8 have together; undefined when arrays and objects are nested deeper than
 * `limit` levels; the outermost is level 1. One pass over the bytes, so that hostile text is refused before a parser recurses into it. Text that
 * is not JSON gets some answer.
 */
export const countMembers = (bytes: Uint8Array, limit: number): number | undefined => {
  let depth = 0
  let members = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]
    if (byte === quote) i = endOfString(bytes, i + 1)
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > limit) return undefined
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === colon) members += 1
  }
  return members
}
