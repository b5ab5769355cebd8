import type { LocalDate } from '../../values/local-date.js'
import { nextDay } from '../../values/next-day.js'
import type { LedgerFacts } from './transaction-facts.js'

/** Both days are inclusive; `first` is never after `last`. */
export type StatementPeriod = Readonly<{ first: LocalDate; last: LocalDate }>

/**
 * The open statement period of a ledger: from the day after its last closing date, or from `firstDay` if there is no
 * closing date, up to today. A period that would begin after today is its first day alone. `ledger`: undefined on an
 * account without ledgers.
 */
export const openStatementPeriod = (
  ledger: LedgerFacts | undefined,
  firstDay: LocalDate,
  today: LocalDate,
): StatementPeriod => {
  const closed = ledger?.lastStatementClosingDate
  const first = closed === undefined ? firstDay : nextDay(closed)
  return { first, last: first > today ? first : today }
}

/** The day of the period that is nearest to the date: the date itself if it lies inside. */
export const dayInPeriod = (date: LocalDate, { first, last }: StatementPeriod): LocalDate => {
  if (date < first) return first
  return date > last ? last : date
}
