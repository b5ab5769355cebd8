/**
 * 13 or more decimal digits of any script, with separators between them. Numbers in groups have up to three spaces or hyphens
 * of any kind, or invisible characters (narrow); groups of a card may be separated by any characters except letters and digits
 * (wide). A digit is never a separator, so that matching takes linear time.
 */
const runsWith = (separator: string): RegExp =>
  new RegExp(String.raw`\p{Nd}(?:${separator}\p{Nd}){12,}`, 'gu')
const narrowRuns = runsWith(String.raw`[\p{Zs}\p{Pd}\p{Cf}\t\u2212]{0,3}`)
const anything = String.raw`[^\p{L}\p{Nd}]{0,4}`
const wideRuns = runsWith(anything)
const onlyRun = new RegExp(`^${anything}\\p{Nd}(?:${anything}\\p{Nd}){12,18}${anything}$`, 'u')
const isDigit = /\p{Nd}/u

/** A digit of a text: its index, its number of UTF-16 units, its value, and whether it is adjacent to the previous digit. */
type Digit = Readonly<{ at: number; units: number; value: number; isTouching: boolean }>

/** Unicode has the digits of each script in order, and adjacent scripts in whole tens. */
const valueOf = (digit: string): number => {
  const point = digit.codePointAt(0) ?? 0
  if (point < 0x80) return point - 0x30
  let zero = point
  while (isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1
  return (point - zero) % 10
}

const isAscii = (character: string): boolean => character < '\u0080'

const isOneDigit = (character: string): boolean =>
  isAscii(character) ? character >= '0' && character <= '9' : isDigit.test(character)

const digitsOf = (run: string, start: number): readonly Digit[] => {
  const digits: Digit[] = []
  let at = start
  let end = -1
  for (const character of run) {
    const units = character.length
    if (isOneDigit(character)) {
      digits.push({ at, units, value: valueOf(character), isTouching: at === end })
      end = at + units
    }
    at += units
  }
  return digits
}

const fewest = 13
const most = 19

const valueAt = (digits: readonly Digit[], index: number): number => digits[index]?.value ?? 0

/** The check digit of card numbers (Luhn): from the right, every second digit is doubled. */
const passesLuhn = (digits: readonly Digit[], from: number, to: number): boolean => {
  let sum = 0
  for (let index = to - 1; index >= from; index--) {
    const digitValue = valueAt(digits, index)
    const value = (to - index) % 2 === 1 ? digitValue : digitValue * 2
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

const isCard = (digits: readonly Digit[], from = 0, to = digits.length): boolean =>
  to - from >= fewest && to - from <= most && passesLuhn(digits, from, to)

/** Whether a number begins like a card number: with 3 to 6, or 2221 to 2720. */
const beginsLikeCard = (digits: readonly Digit[], from = 0): boolean => {
  const first = valueAt(digits, from)
  if (first !== 2) return first >= 3 && first <= 6
  const four =
    2000 + valueAt(digits, from + 1) * 100 + valueAt(digits, from + 2) * 10 + valueAt(digits, from + 3)
  return four >= 2221 && four <= 2720
}

/**
 * Whether the groups have the lengths of a card's, `4-4-4-4` or `4-6-5`, or all one length. Dates, amounts and readings in a row
 * have other lengths.
 */
const isGroupedLikeCard = (digits: readonly Digit[]): boolean => {
  const starts = digits.flatMap(({ isTouching }, index) => (isTouching && index > 0 ? [] : [index]))
  const [first = 0, ...others] = starts.map((from, nth) => (starts[nth + 1] ?? digits.length) - from)
  return first >= 4 || others.every((length) => length === first)
}

/**
 * The card numbers among the groups of a run, from the left. A run that stands alone is a card number if its check digit is
 * right. In a longer run, such as a card number with its date of expiry, and next to letters, a card number also has to begin
 * like one: by the check digit alone, one in ten codes of supply points and most bank account numbers would match.
 */
const cardsIn = (digits: readonly Digit[], standsAlone: boolean): readonly (readonly Digit[])[] => {
  if (isCard(digits) && (standsAlone || beginsLikeCard(digits))) return [digits]
  const cards: (readonly Digit[])[] = []
  for (let from = 0; from + fewest <= digits.length; from++) {
    if (digits[from]?.isTouching === true || !beginsLikeCard(digits, from)) continue
    for (let to = Math.min(from + most, digits.length); to >= from + fewest; to--) {
      if (digits[to]?.isTouching === true || !isCard(digits, from, to)) continue
      cards.push(digits.slice(from, to))
      from = to - 1
      break
    }
  }
  return cards
}

const touchesLetters = (text: string, from: number, to: number): boolean =>
  /\p{L}$/u.test(text.slice(Math.max(0, from - 2), from)) || /^\p{L}/u.test(text.slice(to, to + 2))

const cardNumbersIn = (text: string): readonly (readonly Digit[])[] => {
  const narrow = [...text.matchAll(narrowRuns)]
  const lengths = new Map(narrow.map(({ 0: run, index }) => [index, run.length]))
  // A run that the wide separators do not lengthen has been searched already.
  const wide = [...text.matchAll(wideRuns)].filter(({ 0: run, index }) => lengths.get(index) !== run.length)
  return [
    ...narrow.flatMap(({ 0: run, index }) =>
      cardsIn(digitsOf(run, index), !touchesLetters(text, index, index + run.length)),
    ),
    ...wide.flatMap(({ 0: run, index }) => cardsIn(digitsOf(run, index), false).filter(isGroupedLikeCard)),
  ]
}

/** Whether the text contains a card number: 13 to 19 digits with a check digit, alone or in groups. */
export const holdsCardNumber = (text: string): boolean => cardNumbersIn(text).length > 0

/** Whether the whole text is a card number. */
export const isCardNumber = (text: string): boolean => onlyRun.test(text) && isCard(digitsOf(text, 0))

const shown = 4

/** Replaces all but the last four digits of each card number by `•`; returns the text itself if there is none. */
export const maskCardNumbers = (text: string): string => {
  const cards = cardNumbersIn(text)
  if (cards.length === 0) return text
  const units = text.split('')
  for (const card of cards)
    for (const { at, units: length } of card.slice(0, -shown)) {
      units[at] = '•'
      if (length === 2) units[at + 1] = ''
    }
  return units.join('')
}
