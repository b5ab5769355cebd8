import { cardSchemes } from './card-schemes.js'
import { phoneNumberKind } from './contacts.js'
import { cupsOf } from './cups.js'

/** A digit is never a separator, so that matching takes linear time. */
const separators = String.raw`[^\p{L}\p{Nd}]{0,4}`
/** 13 or more decimal digits of any script, which any characters except letters may separate. */
const runs = new RegExp(String.raw`\p{Nd}(?:${separators}\p{Nd}){12,}`, 'gu')
const onlyRun = new RegExp(`^${separators}\\p{Nd}(?:${separators}\\p{Nd}){12,18}${separators}$`, 'u')
const isDigit = /\p{Nd}/u
const isInvisible = /\p{Cf}/u

/** A digit of a text: its index, its number of UTF-16 units, and its value. */
type Digit = Readonly<{ at: number; units: number; value: number }>

/** Digits with nothing visible between them, after the characters that separate them from the digits before. */
type Group = Readonly<{ gap: string; digits: Digit[] }>

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

const groupsOf = (run: string, start: number): readonly Group[] => {
  const groups: Group[] = []
  let at = start
  let gap: string | undefined = ''
  for (const character of run) {
    const units = character.length
    if (isOneDigit(character)) {
      const digit = { at, units, value: valueOf(character) }
      if (gap === undefined) groups.at(-1)?.digits.push(digit)
      else groups.push({ gap, digits: [digit] })
      gap = undefined
    } else if (!isInvisible.test(character)) gap = (gap ?? '') + character
    at += units
  }
  return groups
}

const digitsOf = (groups: readonly Group[]): readonly Digit[] => groups.flatMap(({ digits }) => digits)

/** The fewest digits of a card number. */
const fewest = 13

/** The check digit of card numbers (Luhn): from the right, every second digit is doubled. */
const passesLuhn = (digits: readonly Digit[]): boolean => {
  const sum = digits.toReversed().reduce((total, { value }, nth) => {
    const weighted = nth % 2 === 0 ? value : value * 2
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}

/** The value of the first four digits, or of fewer if there are no more. */
const firstFour = (digits: readonly Digit[]): number =>
  digits.slice(0, 4).reduce((number, { value }) => number * 10 + value, 0)

/** Whether the digits are a number that a card scheme may have given to a card. */
const isOfScheme = (digits: readonly Digit[]): boolean => {
  const start = firstFour(digits)
  return (
    cardSchemes.some(
      ([first, last, lengths]) => start >= first && start <= last && lengths.includes(digits.length),
    ) && passesLuhn(digits)
  )
}

/** The lengths of the groups in which cards are written, besides single digits; the longest first. */
const groupings = ['4-4-4-4-3', '4-4-4-4', '4-4-4-3', '4-4-4-2', '4-6-5', '4-6-4', '6-13'].map((lengths) =>
  lengths.split('-').map(Number),
)

const hasLengths = (groups: readonly Group[], from: number, lengths: readonly number[]): boolean =>
  lengths.every((length, nth) => groups[from + nth]?.digits.length === length)

/** The number of groups of four from a group on, itself included, in one direction, with the same separator; at most 40. */
const foursFrom = (groups: readonly Group[], from: number, step: 1 | -1, gap: string | undefined): number => {
  let count = 0
  for (let at = from; groups[at]?.digits.length === 4 && count < 40; at += step) {
    count += 1
    if (groups[step === 1 ? at + 1 : at]?.gap !== gap) break
  }
  return count
}

/** Month and year, in which a card expires. */
const isExpiry = (digits: number): boolean => digits > 100 && digits < 1300 && digits % 100 >= 20

/**
 * Whether four groups of four are all that stand in a row with the same separator, or stand among others of whole cards, or
 * before the month of expiry. Account numbers and lists of readings have other numbers of groups.
 */
const isWholeCard = (groups: readonly Group[], from: number): boolean => {
  const gap = groups[from + 1]?.gap
  const before = foursFrom(groups, from, -1, gap) - 1
  const after = foursFrom(groups, from + 3, 1, gap) - 1
  const isWithExpiry = after === 1 && isExpiry(firstFour(groups[from + 4]?.digits ?? []))
  return before < 36 && after < 36 && before % 4 === 0 && (after % 4 === 0 || isWithExpiry)
}

/** The greatest difference of two consecutive readings or consumptions, which is far below that of two groups of a card. */
const greatestStep = 300

/**
 * Whether groups of four are a list of values: they differ little from each other, or signs of lists separate them and none
 * is repeated.
 */
const isListOfValues = (groups: readonly Group[]): boolean => {
  const fours = groups.slice(0, 4).map(({ digits }) => firstFour(digits))
  const distinct = new Set(fours).size
  const isSteady = fours.every((value, nth) => Math.abs(value - (fours[nth - 1] ?? value)) <= greatestStep)
  const isListed = groups.slice(1).every(({ gap }) => /[,;/|\n]/.test(gap))
  return (isSteady && distinct > 1) || (isListed && distinct === fours.length)
}

/** Words before numbers that are none of cards: before a list, and before a number in one piece. */
const namesValues = /(?:lectur|consum|contador|comptador)\p{L}*[^\p{L}\p{Nd}]{0,4}$/iu
const namesDocument =
  /(?:contra[tc]|fa[ct]+ura|solicitud|sol·licitud|expedient|p[oó]li[zc]|contador|comptador)\p{L}*(?: n(?:[º°.o]{1,2}|[uú]m\.?|[uú]mero))?[^\p{L}\p{Nd}]{0,4}$/iu
const unitOfValues = /^[^\p{L}\p{Nd}]{0,2}(?:kwh?|m3|m³)/iu

/** Whether the words beside digits say that they are something else. */
const isNamed = (text: string, digits: readonly Digit[], name: RegExp): boolean => {
  const from = digits[0]?.at ?? 0
  const { at = 0, units = 0 } = digits.at(-1) ?? {}
  return name.test(text.slice(Math.max(0, from - 40), from)) || unitOfValues.test(text.slice(at + units))
}

/** The groups of the card that begins at a group; undefined if none does. */
const cardAt = (text: string, groups: readonly Group[], from: number): readonly Group[] | undefined => {
  const [first] = groups.slice(from, from + 1)
  if (first !== undefined && first.digits.length >= fewest)
    return isOfScheme(first.digits) && !isNamed(text, first.digits, namesDocument) ? [first] : undefined
  for (const lengths of groupings) {
    if (!hasLengths(groups, from, lengths)) continue
    const card = groups.slice(from, from + lengths.length)
    if (lengths[1] === 4 && (!isWholeCard(groups, from) || isListOfValues(card))) continue
    if (isOfScheme(digitsOf(card))) return card
  }
  return undefined
}

const cardsIn = (text: string, groups: readonly Group[]): readonly (readonly Digit[])[] => {
  const all = digitsOf(groups)
  if (groups.length > 1 && isNamed(text, all, namesValues)) return []
  if (groups.length === all.length) return isOfScheme(all) ? [all] : []
  const cards: (readonly Digit[])[] = []
  for (let from = 0; from < groups.length; from++) {
    const card = cardAt(text, groups, from)
    if (card === undefined) continue
    cards.push(digitsOf(card))
    from += card.length - 1
  }
  return cards
}

/** Whether the text, or its beginning up to one of its blanks, is an IBAN: its check digits are right. */
const isIban = (text: string): boolean => {
  for (let end = text.length; end > 0; end = text.lastIndexOf(' ', end - 1)) {
    const iban = text.slice(0, end).replaceAll(' ', '')
    const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (each) => parseInt(each, 36)).join('')
    if (BigInt(digits) % 97n === 1n) return true
  }
  return false
}

const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`
const month = String.raw`(?:0?[1-9]|1[0-2])`

/** Numbers that are no cards: their forms in a text, and whether a text of that form is one. */
const otherNumbers: readonly (readonly [form: RegExp, isOne: (found: string) => boolean])[] = [
  [/\bES(?:[\s-]{0,3}\d){16}(?:[\s-]{0,3}[A-Z]){2}/gi, (found) => cupsOf(found) !== undefined],
  // A Spanish account number is none of a card even if somebody mistyped it.
  [/\bES(?:[\s.-]{0,3}\d){22}(?!\d)/gi, () => true],
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g, isIban],
  [new RegExp(String.raw`(?<!\d)${day}[/.-]${month}[/.-](?:19|20)?\d\d(?!\d)`, 'g'), () => true],
  [new RegExp(String.raw`(?<!\d)(?:19|20)\d\d[/.-]${month}[/.-]${day}(?!\d)`, 'g'), () => true],
  // Day 30, month, year and time: other days begin like no card.
  [/\b30[01]\d(?:19|20)\d\d[0-2]\d[0-5]\d{3}\b/g, () => true],
  [/\+\d{13,15}(?!\d)/g, (found) => phoneNumberKind(found, '') !== 'impossible'],
]

/** The text with letters in place of other numbers, at the same indexes. */
const withoutOthers = (text: string): string =>
  otherNumbers.reduce(
    (rest, [form, isOne]) => rest.replace(form, (found) => (isOne(found) ? 'x'.repeat(found.length) : found)),
    text,
  )

/**
 * The card numbers in a text: of a card scheme, with the right check digit, written in one piece or in groups as cards are, and
 * no CUPS, IBAN, phone number, date or list of readings.
 */
const cardNumbersIn = (text: string): readonly (readonly Digit[])[] =>
  text.search(runs) < 0
    ? []
    : [...withoutOthers(text).matchAll(runs)].flatMap(({ 0: run, index }) =>
        cardsIn(text, groupsOf(run, index)),
      )

/** Whether the whole text may be a card number of any scheme: 13 to 19 digits with the right check digit, in any groups. */
export const isCardNumber = (text: string): boolean =>
  onlyRun.test(text) && passesLuhn(digitsOf(groupsOf(text, 0)))

/** Whether the text contains a card number, or may be one of any scheme as a whole. */
export const holdsCardNumber = (text: string): boolean => isCardNumber(text) || cardNumbersIn(text).length > 0

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
