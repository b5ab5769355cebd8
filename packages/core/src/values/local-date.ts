import { instantOf } from './instant.js'

/** A calendar day, `YYYY-MM-DD`, 1900-01-01 to 9999-12-31. Days compare as text. */
export type LocalDate = string & { readonly LocalDate: unique symbol }

/** `YYYY-MM-DD` by its form alone. */
export const hasDateForm = (text: string): boolean => dateForm.test(text)

const dateForm = /^\d{4}-\d\d-\d\d$/

/** `YYYY-MM-DDTHH:MM:SSZ` by its form alone. */
export const hasDatetimeForm = (text: string): boolean => datetimeForm.test(text)

const datetimeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Whether the text, which begins in the date form, begins with a day of the calendar. */
export const isRealDay = (text: string): boolean => {
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  if (day < 1 || month < 1 || month > 12) return false
  return day <= 28 || day <= daysIn(Number(text.slice(0, 4)), month)
}

/** Whether the text, which has the datetime form, names a time from 00:00:00 to 23:59:59. */
export const isRealTime = (text: string): boolean =>
  twoDigits(text, 11) <= 23 && twoDigits(text, 14) <= 59 && twoDigits(text, 17) <= 59

const ZERO = 0x30

const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const lastDay = '9999-12-31' as LocalDate
const millisecondsOfDay = 24 * 60 * 60 * 1000

/** The day after; the last day that a date can name has none, and stays. */
export const nextDay = (day: LocalDate): LocalDate =>
  day >= lastDay
    ? lastDay
    : (instantOf(Date.parse(`${day}T00:00:00Z`) + millisecondsOfDay).slice(0, lastDay.length) as LocalDate)
