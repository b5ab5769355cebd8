/**
 * The characters outside of ASCII that Unicode form NFKC (Unicode 17) turns into something with a dot, a slash, a
 * backslash or a colon. None of these four combines with its neighbours, so each character can be looked at alone.
 */
const makers =
  '\u2024-\u2026\u2100\u2101\u2105\u2106\u2488-\u249b\u2a74\u33c2\u33c7\u33d8\ufe13\ufe19\ufe30\ufe52\ufe55\ufe68\uff0e\uff0f\uff1a\uff3c\u{1f100}'

const maker = new RegExp(`[${makers}]`, 'u')
const others = new RegExp(`[^\\u0000-\\u007f${makers}]+`, 'gu')

/**
 * What matters of a text's NFKC form for a path: dots, slashes, backslashes, colons and control characters stand in
 * the order that NFKC gives them; runs of other characters outside of ASCII become an `x`. Normalising the whole text
 * could make it 18 times as long, and takes quadratic time for many combining marks in a row.
 */
export const skeletonOf = (text: string): string =>
  maker.test(text) ? text.replace(others, 'x').normalize('NFKC') : text

const colon = /[:\u2a74\ufe13\ufe55\uff1a]/

/** The most UTF-16 units that NFKC makes one letter of: six characters, each a surrogate pair. */
const mostUnitsOfLetter = 12

/** Whether the text begins with a letter and a colon in NFKC. */
export const beginsWithDrive = (text: string): boolean => {
  const end = text.search(colon)
  return end > 0 && end <= mostUnitsOfLetter && /^\p{L}$/u.test(text.slice(0, end).normalize('NFKC'))
}
