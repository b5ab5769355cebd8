/** `YYYY-MM-DD` by its form alone. */
export const hasDateForm = (text: string): boolean => text.length === 10 && startsWithDate(text)

/** `YYYY-MM-DDTHH:MM:SSZ` by its form alone. */
export const hasDatetimeForm = (text: string): boolean =>
  text.length === 20 &&
  startsWithDate(text) &&
  text.charCodeAt(10) === LETTER_T &&
  digits(text, 11, 13) >= 0 &&
  text.charCodeAt(13) === COLON &&
  digits(text, 14, 16) >= 0 &&
  text.charCodeAt(16) === COLON &&
  digits(text, 17, 19) >= 0 &&
  text.charCodeAt(19) === LETTER_Z

/** Whether the text, which begins in the date form, begins with a day of the calendar. */
export const isRealDay = (text: string): boolean => {
  const month = digits(text, 5, 7)
  const day = digits(text, 8, 10)
  return day >= 1 && month >= 1 && month <= 12 && day <= daysIn(yearOf(text), month)
}

/** Whether the text, which has the datetime form, names a time from 00:00:00 to 23:59:59. */
export const isRealTime = (text: string): boolean =>
  digits(text, 11, 13) <= 23 && digits(text, 14, 16) <= 59 && digits(text, 17, 19) <= 59

/** The year of a text that begins in the date form. */
export const yearOf = (text: string): number => digits(text, 0, 4)

const HYPHEN = 0x2d
const COLON = 0x3a
const LETTER_T = 0x54
const LETTER_Z = 0x5a

const startsWithDate = (text: string): boolean =>
  digits(text, 0, 4) >= 0 &&
  text.charCodeAt(4) === HYPHEN &&
  digits(text, 5, 7) >= 0 &&
  text.charCodeAt(7) === HYPHEN &&
  digits(text, 8, 10) >= 0

/** The number that ASCII digits stand for, -1 if there is anything else among them. */
const digits = (text: string, from: number, to: number): number => {
  let number = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 0x30
    if (!(digit >= 0 && digit <= 9)) return -1
    number = number * 10 + digit
  }
  return number
}

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
