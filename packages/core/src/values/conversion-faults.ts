/** Faults of a text from the conversion of an export, by their codes. */
export type ConversionFault = 'missing_value_as_text' | 'wrongly_decoded_text'

/** The letters of the first UTF-8 byte of a Latin, Greek or Cyrillic letter, read as Windows-1252. */
const firstBytes = 'ÄÅÈÌÎÏÐÑ'

/** The characters of following bytes that are in no word and end none. */
const sure = '¡-¨ª-¬¯-¶¸-º¼-¿€‚ƒ„†‡ˆ‰Š‹ŒŽ‘“˜šœžŸ'

/** The characters of following bytes that may end a word in capitals: closing quotes, dashes, dots, signs, a space. */
const ending = '\\u00a0©\\u00ad®·»’”•–—…™›'

/**
 * Letters in the wrong encoding. Ã and Â are letters of Portuguese, French and Romanian too, so the next character decides:
 * `JOÃO` is right, and `MuÃ±oz` is not.
 */
const wronglyDecoded = new RegExp(
  [
    '[\\u0080-\\u009f\\ufffd]',
    `[ÂÃ](?:[${sure}]|[${ending}](?=\\p{L}))`,
    `\\p{Ll}[ÂÃ][${ending}]`,
    `\\p{Ll}[${firstBytes}][${sure}${ending}]`,
    `[${firstBytes}][${sure}]\\p{L}`,
    'â[€‚„]|ðŸ|ï¿½|ï»¿',
  ].join('|'),
  'u',
)

const part = '[\\p{L}\\p{M}\\p{N}]'

/** Placeholders of programs for a missing value, as words: `undefined` and `null` in any case. `Nan` and `NAN` are names. */
const missingValues = [
  new RegExp(`(?<!${part})(?:undefined|null)(?!${part})`, 'iu'),
  new RegExp(`(?<!${part})NaN(?!${part})|\\[object Object\\]`, 'u'),
]

const inWord = 1
const mayBegin = 2
const firstOfPair = 4
const doubtful = 8

const pairUnit = new RegExp(`[ÂÃ${firstBytes}âðï]`)

/**
 * For each unit below U+0100: whether it is part of a word, may begin a placeholder or a wrongly decoded letter, or is doubtful.
 */
const traits = Uint8Array.from({ length: 0x100 }, (_, unit) => {
  const letter = String.fromCharCode(unit)
  if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return doubtful
  if (pairUnit.test(letter)) return firstOfPair
  return (/[A-Za-z0-9]/.test(letter) ? inWord : 0) | (/[NnUu[]/.test(letter) ? mayBegin : 0)
})

/** Whether a placeholder may begin at the index, by its second and third letter in any case. */
const mayBeMissing = (text: string, index: number): boolean => {
  const second = text.charCodeAt(index + 1) | 0x20
  const third = text.charCodeAt(index + 2) | 0x20
  return (
    (second === 0x6e && third === 0x64) || // undefined
    (second === 0x75 && third === 0x6c) || // null
    (second === 0x61 && third === 0x6e) || // NaN
    (second === 0x6f && third === 0x62) // [object Object]
  )
}

const leavesDoubt = (text: string, index: number, trait: number, isStart: boolean): boolean => {
  if (trait === doubtful) return true
  if (trait === firstOfPair) return text.charCodeAt(index + 1) >= 0x80
  return (isStart || trait === mayBegin) && mayBeMissing(text, index)
}

/**
 * A fast test: true only for a text without conversion fault, control character and lone surrogate. It is true for nearly every
 * text, and faster than the checks that it saves.
 */
export const isPlain = (text: string): boolean => {
  let isStart = true
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const trait = unit < 0x100 ? (traits[unit] as number) : unit < 0xd800 ? 0 : doubtful
    if (trait > inWord && leavesDoubt(text, index, trait, isStart)) return false
    isStart = (trait & inWord) === 0
  }
  return true
}

/**
 * The faults of a text: it contains `undefined`, `null`, `NaN` or `[object Object]` as a word; it contains U+FFFD, control
 * characters of Latin-1, or letters of UTF-8 that were read as another encoding.
 */
export const conversionFaults = (text: string): readonly ConversionFault[] => [
  ...(missingValues.some((pattern) => pattern.test(text)) ? ['missing_value_as_text' as const] : []),
  ...(wronglyDecoded.test(text) ? ['wrongly_decoded_text' as const] : []),
]
