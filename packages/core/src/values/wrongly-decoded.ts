/** The letters from U+00C0 to U+024F that match the pattern, for a class of a pattern. */
const latinLetters = (pattern: RegExp): string =>
  Array.from({ length: 0x250 - 0xc0 }, (_, at) => String.fromCharCode(0xc0 + at))
    .filter((letter) => pattern.test(letter))
    .join('')

const capitals = latinLetters(/\p{Lu}/u)

/** Without ß, which stands between capitals in `STRAßE`. */
const smalls = latinLetters(/\p{Ll}/u).replace('ß', '')

/** The letters of the first UTF-8 byte of a Latin, Greek or Cyrillic letter, read as Windows-1252. */
const firstBytes = 'ÄÅÈÌÎÏÐÑ'

/** The same of Ã and Â, which are letters of names: read as Windows-1252, Windows-1250 and Windows-1257. */
const doubtfulFirstBytes = 'ÂÃĂĹĆĀ'

/** The characters of following bytes that are in no word and end none. */
const sure = '¡-¨ª-¬¯-¶¸-º¼-¿€‚ƒ„†‡ˆ‰Š‹ŒŽ‘“˜šœžŸˇ˘˝˛'

/** The characters of following bytes that may end a word in capitals: closing quotes, dashes, dots, signs, a space. */
const ending = '\\u00a0©\\u00ad®·»’”•–—…™›'

/**
 * UTF-8 that was read as a code page of one byte a letter. Ã and Â are letters of Portuguese, French and Romanian too, so the next
 * character decides: `JOÃO` is right, and `MuÃ±oz` is not. In code pages of DOS the first bytes are parts of boxes.
 */
const pairs = [
  `[${doubtfulFirstBytes}](?:[${sure}]|[${ending}](?=\\p{L}))`,
  `\\p{Ll}[${doubtfulFirstBytes}][${ending}]`,
  `\\p{Ll}[${firstBytes}][${sure}${ending}]`,
  `[${firstBytes}][${sure}]\\p{L}`,
  '[\\p{Script=Cyrillic}\\p{Script=Greek}][¡-©«-±´-¹»-¿€‚„†‡ˆ‰‹‘]',
  '[ĂĹ][ŠŚŤŽŹšśťžźŁĄŞŻłąşĽľż](?!\\p{Ll}{3})|[ĂĹ]Ľ|â[€‚„]|ðŸ|ï¿½|ï»¿|ÔÇ|[√¬][^\\s\\d]',
]

/** Characters that stand for lost ones: U+FFFD, controls, the private use area, boxes. Tabs and line breaks are none. */
const replacements =
  '[\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ufffc\\ufffd\\ue000-\\uf8ff\\u2500-\\u25a1\\u25af]'

const latin = '[A-Za-zÀ-ÖØ-öø-ɏ]'
const otherScript = '[\\p{Script=Cyrillic}\\p{Script=Greek}]'

/**
 * Letters that no name has side by side: of two scripts, or a capital with an accent after small letters (`GarcÝa`, `MuÑoz`), or a
 * small one among capitals (`LEàN`). Irish names have a small h, n or t before a capital: `Ó hÉalaithe`.
 */
const letters = [
  `${otherScript}\\p{M}*${latin}|${latin}\\p{M}*${otherScript}`,
  `(?:\\p{L}\\p{Ll}|(?<!\\p{L})[^hnt\\P{Ll}])[${capitals}]`,
  `(?<!\\p{L})[A-Z][${capitals}]\\p{Ll}{2}`,
  `\\p{Lu}{2}[${smalls}]\\p{Lu}|(?<!\\p{L})[A-Z][${smalls}]\\p{Lu}{2}`,
  `[${capitals}]{5}`,
  '[bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ]ß',
  '[À-ɏ]@|@[À-ɏ]',
]

/** Signs in words, where letters of another code page were. Ellipses, apostrophes, hyphens, `l·l` and `Mª` are in words of names. */
const signs = [
  '\\p{L}[¡¿¢£¤¥¦§©®¬±¶¸¹²³¼½¾×÷¨¯“”„…™€∞≈≠π⁄‹›˙˚ⁿƒ#$%!^~?]\\p{L}',
  '\\p{L}[‚„†‡¤¥¢£¦§¬±¶ˆ˜˝˛¸¨≤≥∞∂∑∏∫◊]|[\\p{L}\\p{N}]¦|\\p{N}§',
  '(?<![\\p{L}\\p{N}])[¤¥¦¬±¶†‡ˆ˜÷×µ]\\p{L}|\\p{L}µ|[^\\s\\d]×',
  '\\p{L}{2}\\\\\\p{L}|\\p{L}[|{}]\\p{Ll}|\\p{Ll}°\\p{Ll}',
  '\\p{L}—\\p{L}|\\p{Lu}\\p{Ll}*–\\p{Ll}',
  '[^lLnNsS\\P{L}][·•]\\p{L}|[lLnNsS][·•][^lLhH\\P{L}]',
  '(?<![\\p{L}\\p{N}])¡\\p{Ll}{2}|(?<![\\p{L}\\p{N}?])\\?\\p{Ll}{2}|(?<!\\p{L})¿\\p{Ll}{2}[^?]*$',
]

/** Letters that a program wrote as codes: of HTML, of JSON and programs, of URLs and mails. */
const codes = [
  '&(?:#\\d{2,7}|#[xX][0-9a-fA-F]{2,6}|[A-Za-z]{2,8}\\d{0,2});',
  '&[A-Za-z](?:acute|grave|circ|uml|tilde|cedil|ring|slash)|&(?:amp|nbsp|quot|apos|lt|gt|ordm|ordf)(?![\\p{L}\\p{N}])',
  '\\\\u[0-9a-fA-F]{4}|\\\\x[0-9a-fA-F]{2}|=\\?[\\w-]+\\?[QqBb]\\?',
  '\\p{L}=[0-9A-F]{2}|\\p{L}%[0-9A-Fa-f]{2}|%[C-F][0-9A-F]%[89AB][0-9A-F]',
]

const inAnyText = new RegExp([replacements, ...pairs, ...letters].join('|'), 'u')
const inWords = new RegExp([...signs, ...codes].join('|'), 'u')

/** Fast tests: a text without such characters has no fault of the two patterns. */
const mayBeLetters =
  /[^ -~\t\r\n\u0530-\u1fff\u2100-\u2121\u2123-\u21ff\u2600-\ud7ff\uf900-\ufffb\u{10000}-\u{10ffff}]/u
const mayBeSigns = /[!#$%&=?\\^{|}~¡-¿×÷ƒˆ-˝\u2010-\u2265⁄€™µ◊]/u

/** Whether letters of a text were decoded by a wrong code page, lost or replaced by codes. An address of the web has such signs. */
export const isWronglyDecoded = (text: string): boolean =>
  (mayBeLetters.test(text) && inAnyText.test(text)) ||
  (mayBeSigns.test(text) && !text.includes('://') && inWords.test(text))
