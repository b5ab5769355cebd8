/** The longest string that is accepted anywhere, in bytes of UTF-8. */
export const MAX_BYTES = 65_536

/** Whether a text has more than `max` Unicode code points; a surrogate without its other half counts as one. */
export const isLongerThan = (max: number, text: string): boolean =>
  // A code point takes at most two units of the text, so above twice the limit nothing has to be counted.
  text.length > max && (text.length > 2 * max || lengthOf(text) > max)

const lengthOf = (text: string): number => {
  let length = text.length
  for (let index = 1; index < text.length; index++)
    if (isPair(text.charCodeAt(index - 1), text.charCodeAt(index))) length--
  return length
}

/** Empty or white space only, as `trim` sees it. Mostly the first character tells. */
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
    // A surrogate pair takes four bytes, two for each of its units.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes > MAX_BYTES
}

/** U+0000 to U+001F and U+007F. */
export const hasControlCharacter = (text: string): boolean => controlCharacter.test(text)

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const controlCharacter = /[\u0000-\u001f\u007f]/

const isPair = (high: number, low: number): boolean =>
  high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
