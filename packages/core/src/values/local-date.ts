import { instantOf } from './instant.js'

/** A calendar day, `YYYY-MM-DD`, 1900-01-01 to 9999-12-31. Days compare as text. */
export type LocalDate = string & { readonly LocalDate: unique symbol }

const lastDay = '9999-12-31' as LocalDate
const millisecondsOfDay = 24 * 60 * 60 * 1000

/** The day after; the last day that a date can name has none, and stays. */
export const nextDay = (day: LocalDate): LocalDate =>
  day >= lastDay
    ? lastDay
    : (instantOf(Date.parse(`${day}T00:00:00Z`) + millisecondsOfDay).slice(0, lastDay.length) as LocalDate)
