/** Faults that the conversion of an export leaves in a text, by their codes. */
export type ConversionFault = 'missing_value_as_text' | 'wrongly_decoded_text'

/** Letters that a byte before a letter of Latin, Greek or Cyrillic turns into where UTF-8 is read as Windows-1252. */
const firstBytes = 'ÄÅÈÌÎÏÐÑ'

/** Characters of the bytes that follow it, if no word goes on or ends with them. */
const sure = '¡-¨ª-¬¯-¶¸-º¼-¿€‚ƒ„†‡ˆ‰Š‹ŒŽ‘“˜šœžŸ'

/** Those that may end a word in capitals: closing quotes, dashes, dots, signs, a space. */
const ending = '\\u00a0©\\u00ad®·»’”•–—…™›'

/**
 * Letters in the wrong encoding. Ã and Â are letters of Portuguese, French and Romanian too, so the character behind them decides:
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

/** The texts that programs write for a missing value, as words: exports write undefined and null in any case. `Nan` and `NAN` are names. */
const missingValues = [
  new RegExp(`(?<!${part})(?:undefined|null)(?!${part})`, 'iu'),
  new RegExp(`(?<!${part})NaN(?!${part})|\\[object Object\\]`, 'u'),
]

const inWord = 1
const mayBegin = 2
const firstOfPair = 4
const doubtful = 8

const pairUnit = new RegExp(`[ÂÃ${firstBytes}âðï]`)

/** For each unit below U+0100: whether it is of a word, may begin a missing value or a letter in the wrong encoding, or is doubtful. */
const traits = Uint8Array.from({ length: 0x100 }, (_, unit) => {
  const letter = String.fromCharCode(unit)
  if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return doubtful
  if (pairUnit.test(letter)) return firstOfPair
  return (/[A-Za-z0-9]/.test(letter) ? inWord : 0) | (/[NnUu[]/.test(letter) ? mayBegin : 0)
})

/** Whether a missing value may begin at the index, by its second and third letter in any case. */
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
 * Whether a text surely has no fault of a conversion, no control character and no half of a character pair. Nearly every text is like
 * that, and this is faster than the checks that it saves.
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
 * The faults of a text: it is, or holds as a word, `undefined`, `null`, `NaN` or `[object Object]`; it holds U+FFFD, control characters
 * of Latin-1, or letters of UTF-8 that were read as another encoding.
 */
export const conversionFaults = (text: string): readonly ConversionFault[] => [
  ...(missingValues.some((pattern) => pattern.test(text)) ? ['missing_value_as_text' as const] : []),
  ...(wronglyDecoded.test(text) ? ['wrongly_decoded_text' as const] : []),
]
