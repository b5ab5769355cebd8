/**
 * The characters outside of ASCII that contain a dot, a slash, a backslash or a colon in Unicode form NFKC, of
 * Unicode 17. None of these four composes with what stands beside it.
 */
const makers =
  '\u2024-\u2026\u2100\u2101\u2105\u2106\u2488-\u249b\u2a74\u33c2\u33c7\u33d8\ufe13\ufe19\ufe30\ufe52\ufe55\ufe68\uff0e\uff0f\uff1a\uff3c\u{1f100}'

const maker = new RegExp(`[${makers}]`, 'u')
const others = new RegExp(`[^\\u0000-\\u007f${makers}]+`, 'gu')

/**
 * The text in NFKC as far as it decides on a path: dots, slashes, backslashes, colons and control characters stand
 * where they stand in NFKC, in between may be anything. Normalising all of it would let texts grow eighteenfold, and
 * takes time by the square of the marks in a row.
 */
export const skeletonOf = (text: string): string =>
  maker.test(text) ? text.replace(others, 'x').normalize('NFKC') : text

const colon = /[:\u2a74\ufe13\ufe55\uff1a]/

/** The most units of a text that is a single letter in NFKC: six characters, each a pair. */
const mostUnitsOfLetter = 12

/** Whether the text begins with a letter and a colon in NFKC. */
export const beginsWithDrive = (text: string): boolean => {
  const end = text.search(colon)
  return end > 0 && end <= mostUnitsOfLetter && /^\p{L}$/u.test(text.slice(0, end).normalize('NFKC'))
}
