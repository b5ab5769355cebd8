import type { LocalDate } from '@account-import/core'

const MILLISECONDS_OF_A_DAY = 86_400_000

const texts = new Map<number, LocalDate>()

/** A day, counted from 1970-01-01, as `YYYY-MM-DD`. */
export const dateOf = (day: number): LocalDate => {
  const text =
    texts.get(day) ?? (new Date(day * MILLISECONDS_OF_A_DAY).toISOString().slice(0, 10) as LocalDate)
  texts.set(day, text)
  return text
}

export const dayOf = (date: string): number => Date.parse(date) / MILLISECONDS_OF_A_DAY

/** The first day of a month, counted from 1970-01. */
export const firstDayOf = (month: number): number => Date.UTC(1970, month) / MILLISECONDS_OF_A_DAY

export const lastDayOf = (month: number): number => firstDayOf(month + 1) - 1

/** `YYYY-MM`. */
export const monthText = (month: number): string => dateOf(firstDayOf(month)).slice(0, 7)
