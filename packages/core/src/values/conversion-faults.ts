import { isWronglyDecoded } from './wrongly-decoded.js'

/** Faults of a text from the conversion of an export, by their codes. */
export type ConversionFault =
  | 'missing_value_as_text'
  | 'wrongly_decoded_text'
  | 'rewritten_identifier'
  | 'line_break_in_text'

const part = '[\\p{L}\\p{M}\\p{N}]'

/**
 * Placeholders of programs for a missing value, and error marks of spreadsheets in any language. `undefined` and `null` count in any
 * case, as words. `Nan`, `NAN` and `Nil` are names, and `NA` is a province, so they count only in the spelling of a program. `False` is an
 * empty text of OpenERP and Odoo.
 */
const missingValues = [
  new RegExp(`(?<!${part})(?:undefined|null|dbnull)(?!${part})`, 'iu'),
  new RegExp(`(?<!${part})(?:NaN|NaT)(?!${part})|\\[object \\w+\\]|(?<!\\\\)\\\\N(?!${part})`, 'u'),
  /[(<[{](?:nil|none|nan|na|n\/a|n\/d|empty|blank|vac[ií]o|en blanco|sin datos?|nulo|missing|no data)[)>\]}]/iu,
  /#[¡¿]?[\p{L}][\p{L}\d/?]*[!?]|#N\/[\p{L}]|^#{3,}$|^#(?:NV|NULO|ERR)$|^Err:\d{3}$/iu,
  /^(?:None|nan|[Ff]alse|FALSE|n\/[ad]|n\.[ad]\.|\[\]|\{\})$/u,
  /^N\/[AD]$|^N\.[AD]\.$|^(?:None|nan|[Ff]alse|FALSE) \p{Lu}|^\p{Lu}.* (?:None|nan|[Ff]alse|FALSE)$/u,
]

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
const isRewritten = (text: string): boolean => rewritten.test(text)

const [inWord, small, capital, foreign, doubtful] = [1, 2, 4, 8, 16]

/** Signs of plain text that no fault contains; all others below U+0250 are letters, digits or doubtful. */
const plainSigns = new Set(' \'"()*+,-./;_`\u00a0«»ª´º')

const traitOf = (unit: number): number => {
  const letter = String.fromCharCode(unit)
  if (plainSigns.has(letter)) return letter === '(' ? doubtful : 0
  if ('ßµƒ'.includes(letter)) return doubtful
  const isForeign = unit < 0x80 ? 0 : foreign
  if (/\d/.test(letter)) return inWord
  if (/\p{Ll}/u.test(letter)) return inWord | small | isForeign
  return /\p{L}/u.test(letter) ? inWord | capital | isForeign : doubtful
}

/** For each unit below U+0250: whether it is part of a word, a small or a capital letter, beyond ASCII, or doubtful. */
const traits = Uint8Array.from({ length: 0x250 }, (_, unit) => traitOf(unit))

/** The traits of a unit; `before` are those of the unit before it, which a combining accent keeps. */
const traitsAt = (unit: number, before: number): number => {
  if (unit < 0x250) return traits[unit] as number
  if (unit >= 0x300 && unit < 0x370) return before
  const isPlainScript = (unit >= 0x530 && unit < 0x2000) || (unit >= 0x2c00 && unit < 0xd800)
  return isPlainScript ? 0 : doubtful
}

/** Whether a placeholder may begin at the index, by its first letters in any case. */
const mayBeMissing = (text: string, index: number): boolean => {
  const first = text.charCodeAt(index) | 0x20
  const second = text.charCodeAt(index + 1) | 0x20
  if (first === 0x75 || first === 0x64) return second === 0x6e || second === 0x62 // undefined, dbnull
  if (first === 0x66) return second === 0x61 && /^lse$/i.test(text.slice(index + 2, index + 5)) // False
  return first === 0x6e && /^(?:ul|an|at|on|[/.][ad])/i.test(text.slice(index + 1, index + 3))
}

/** Whether a letter beyond ASCII stands among letters of another case, or before a letter that may be the second of a pair. */
const isAmongOthers = (text: string, index: number, trait: number, before: number): boolean => {
  const next = text.charCodeAt(index + 1)
  if ((trait & small) !== 0)
    return (before & capital) !== 0 && next < 0x250 && ((traits[next] as number) & capital) !== 0
  if (next >= 0x80) return true
  return (before & inWord) !== 0 && ((before & capital) === 0 || (next >= 0x61 && next <= 0x7a))
}

/**
 * A fast test: true only for a text without missing value, wrongly decoded letter, control character and lone surrogate. It is
 * true for nearly every text, and faster than the checks that it saves.
 */
export const isPlain = (text: string): boolean => {
  let before = 0
  for (let index = 0; index < text.length; index++) {
    const trait = traitsAt(text.charCodeAt(index), before)
    if ((trait & doubtful) !== 0) return false
    if ((trait & foreign) !== 0 && isAmongOthers(text, index, trait, before)) return false
    if ((before & inWord) === 0 && (trait & inWord) !== 0 && mayBeMissing(text, index)) return false
    before = trait
  }
  return true
}

/** The faults of a text that are among the wanted ones, in their order. */
export const conversionFaults = (
  text: string,
  wanted: readonly ConversionFault[],
): readonly ConversionFault[] => wanted.filter((fault) => hasFault[fault](text))

const hasFault: Readonly<Record<ConversionFault, (text: string) => boolean>> = {
  missing_value_as_text: (text) => missingValues.some((pattern) => pattern.test(text)),
  wrongly_decoded_text: isWronglyDecoded,
  rewritten_identifier: isRewritten,
  line_break_in_text: (text) => /[\n\v\f\r\u2028\u2029]/.test(text),
}
