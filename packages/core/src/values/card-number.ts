/**
 * 13 or more digits, plain or full-width, with up to three spaces or hyphens of any kind, or characters that nobody sees,
 * between each two. A digit is never a separator, so that this takes linear time.
 */
const separator = '[\\p{Zs}\\p{Pd}\\p{Cf}\\t\u2212]{0,3}'
const digit = '[0-9\uFF10-\uFF19]'
const digitRuns = new RegExp(`${digit}(?:${separator}${digit}){12,}`, 'gu')
const onlyRun = new RegExp(`^${separator}${digit}(?:${separator}${digit}){12,18}${separator}$`, 'u')
const isDigit = new RegExp(digit, 'u')

/** A digit of a text: where it is, what it is worth, and whether it touches the digit before it. */
type Digit = Readonly<{ at: number; value: number; isTouching: boolean }>

const digitsOf = (run: string, start: number): readonly Digit[] => {
  const digits: Digit[] = []
  for (let index = 0; index < run.length; index++) {
    const unit = run.charAt(index)
    if (!isDigit.test(unit)) continue
    const at = start + index
    digits.push({ at, value: (run.charCodeAt(index) - 0x30) & 0xf, isTouching: digits.at(-1)?.at === at - 1 })
  }
  return digits
}

const fewest = 13
const most = 19

/** The check digit of card numbers (Luhn): from the right, every second digit counts twice. */
const passesLuhn = (digits: readonly Digit[]): boolean => {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digitValue = (digits[digits.length - 1 - index] as Digit).value
    const value = index % 2 === 0 ? digitValue : digitValue * 2
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

const isCard = (digits: readonly Digit[]): boolean =>
  digits.length >= fewest && digits.length <= most && passesLuhn(digits)

/** Whether a number begins as those of cards do: 3 to 6, or the range 2221 to 2720. */
const beginsLikeCard = (digits: readonly Digit[]): boolean => {
  const first = digits[0]?.value ?? 0
  const four = digits.slice(0, 4).reduce((sum, { value }) => sum * 10 + value, 0)
  return (first >= 3 && first <= 6) || (four >= 2221 && four <= 2720)
}

/**
 * The card numbers among the groups of a run, from the left. A run that is a card number as a whole is one. Within a longer
 * run, such as a card number with its date of expiry behind it, and behind or before letters, it also has to begin as cards
 * do: by its check digit alone one in ten codes of supply points would pass for a card, and most bank account numbers.
 */
const cardsIn = (digits: readonly Digit[], standsAlone: boolean): readonly (readonly Digit[])[] => {
  if (isCard(digits) && (standsAlone || beginsLikeCard(digits))) return [digits]
  const cards: (readonly Digit[])[] = []
  for (let from = 0; from + fewest <= digits.length; from++) {
    if (digits[from]?.isTouching === true) continue
    for (let to = Math.min(from + most, digits.length); to >= from + fewest; to--) {
      const part = digits.slice(from, to)
      if (digits[to]?.isTouching === true || !isCard(part) || !beginsLikeCard(part)) continue
      cards.push(part)
      from = to - 1
      break
    }
  }
  return cards
}

const touchesLetters = (text: string, from: number, to: number): boolean =>
  /\p{L}$/u.test(text.slice(Math.max(0, from - 2), from)) || /^\p{L}/u.test(text.slice(to, to + 2))

const cardNumbersIn = (text: string): readonly (readonly Digit[])[] =>
  [...text.matchAll(digitRuns)].flatMap(({ 0: run, index }) =>
    cardsIn(digitsOf(run, index), !touchesLetters(text, index, index + run.length)),
  )

/** Whether a card number stands somewhere in the text: 13 to 19 digits with its check digit, alone or in groups. */
export const holdsCardNumber = (text: string): boolean => cardNumbersIn(text).length > 0

/** Whether the text is a card number and nothing else. */
export const isCardNumber = (text: string): boolean => onlyRun.test(text) && isCard(digitsOf(text, 0))

const shown = 4

/** The same text with all but the last four digits of each card number as `•`; the text itself where there is none. */
export const maskCardNumbers = (text: string): string => {
  const cards = cardNumbersIn(text)
  if (cards.length === 0) return text
  const units = text.split('')
  for (const card of cards) for (const { at } of card.slice(0, -shown)) units[at] = '•'
  return units.join('')
}
