/** Most identifiers are sent like this, with nothing to remove or to change. */
const plain = /^[0-9A-Z]*$/

/**
 * The text in upper case and without the characters that are `ignored` (a global pattern). Letters outside of ASCII
 * stay as they are: some of them, such as the long s, would otherwise turn into letters that identifiers are made of.
 */
export const plainForm = (text: string, ignored: RegExp): string =>
  plain.test(text) ? text : text.replace(ignored, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase())
