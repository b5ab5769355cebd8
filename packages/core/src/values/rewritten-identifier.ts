/** Characters that no one sees: special spaces, soft hyphens, marks of direction, joiners; and U+FFFD. */
const invisible =
  '[\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000' +
  '\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffd]'

const rewritten = new RegExp(
  [
    `^\\s|\\s$|${invisible}`,
    // Numbers as a spreadsheet shows long ones, with a point or a comma.
    '^[+-]?\\d+(?:[.,]\\d+)?E\\+\\d{1,3}$|^[+-]?\\d[.,]\\d+E\\d{1,3}$',
    // A column with empty cells that was read as decimals. Short numbers such as 3.0 are names of tariffs.
    '^\\d{3,}[.,]0+$',
    // Signs by which a spreadsheet keeps a number as text.
    `^'\\d|^="|^".*"$`,
  ].join('|'),
  'iu',
)

/** Whether an identifier looks as if a spreadsheet or a program rewrote it: an exponent, `.0`, or characters that no one sees. */
export const isRewritten = (text: string): boolean => rewritten.test(text)
