/** The longest string that is accepted anywhere, in bytes of UTF-8: section 2, limits. */
export const MAX_BYTES = 65_536

/** What `scanText` answers for text that cannot be stored. */
export const HAS_NUL = -1
export const HAS_LONE_SURROGATE = -2

/** Length in Unicode code points, or what is wrong with the text; a NUL counts before a lone surrogate. */
export const scanText = (text: string): number => {
  let pairs = 0
  let isLone = false
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === 0) return HAS_NUL
    if (unit < 0xd800 || unit > 0xdfff) continue
    if (isPair(unit, text.charCodeAt(index + 1))) {
      pairs++
      index++
    } else isLone = true
  }
  return isLone ? HAS_LONE_SURROGATE : text.length - pairs
}

/** Length in Unicode code points, whatever the text holds; half of a pair is one. */
export const lengthOf = (text: string): number => {
  let length = text.length
  for (let index = 1; index < text.length; index++)
    if (isPair(text.charCodeAt(index - 1), text.charCodeAt(index))) length--
  return length
}

/** Empty or white space only, as `trim` sees it; the first character mostly decides. */
export const isBlank = (text: string): boolean => {
  const first = text.charCodeAt(0)
  return first > 0x20 && first < 0x80 ? false : text.trim() === ''
}

/** Whether well-formed text takes more than 64 KiB. A UTF-16 unit takes at most three bytes. */
export const isTooManyBytes = (text: string): boolean => {
  if (text.length * 3 <= MAX_BYTES) return false
  let bytes = text.length
  for (let index = 0; index < text.length && bytes <= MAX_BYTES; index++) {
    const unit = text.charCodeAt(index)
    // Each unit of a pair takes two of its four bytes.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes > MAX_BYTES
}

/** U+0000 to U+001F and U+007F. */
export const hasControlCharacter = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit === 0x7f) return true
  }
  return false
}

const isPair = (high: number, low: number): boolean =>
  high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
