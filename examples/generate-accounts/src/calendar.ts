import type { LocalDate } from '@account-import/core'

/** Days are counted from 1970-01-01, months from January of the year 0. */
const MILLISECONDS_OF_A_DAY = 86_400_000

const texts = new Map<number, LocalDate>()

/** A day as `YYYY-MM-DD`. */
export const dateOf = (day: number): LocalDate => {
  const known = texts.get(day)
  if (known !== undefined) return known
  const text = new Date(day * MILLISECONDS_OF_A_DAY).toISOString().slice(0, 10) as LocalDate
  texts.set(day, text)
  return text
}

/** The day of a `YYYY-MM-DD`. */
export const dayOf = (date: string): number => Date.parse(date) / MILLISECONDS_OF_A_DAY

export const monthOf = (day: number): number => {
  const date = new Date(day * MILLISECONDS_OF_A_DAY)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export const firstDayOf = (month: number): number =>
  Date.UTC(Math.floor(month / 12), month % 12, 1) / MILLISECONDS_OF_A_DAY

export const lastDayOf = (month: number): number => firstDayOf(month + 1) - 1

/** `YYYY-MM`. */
export const monthText = (month: number): string => dateOf(firstDayOf(month)).slice(0, 7)

/**
 * The instant at which a month begins in Madrid, as meters report it: summer time covers the firsts of April to
 * October.
 */
export const startOfMonthInMadrid = (month: number): string => {
  const isSummer = month % 12 >= 3 && month % 12 <= 9
  return `${dateOf(firstDayOf(month) - 1)}T${isSummer ? '22' : '23'}:00:00Z`
}
