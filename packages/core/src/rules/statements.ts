import type { LocalDate } from '../values/local-date.js'
import { allOf, distinct, each, endNotBeforeStart, notInFuture } from './building-blocks.js'
import type { Readable, ReadList } from './rule.js'

/** The common fields of account statements and historical statements. */
type Statement = Readable<{
  bill_period_from_date: LocalDate
  bill_period_to_date: LocalDate
  statement_id: string
}>

/** Ids are given once; billed periods do not end before they begin, and have ended. */
export const statementRules = allOf<ReadList<Statement>>(
  distinct({
    code: 'duplicate_statement_ids',
    field: 'statement_id',
    keyOf: ({ statement_id }) => statement_id,
  }),
  each<Statement>(
    endNotBeforeStart('bill_period_from_date', 'bill_period_to_date'),
    notInFuture('bill_period_to_date', 'historical_statement_period_end_in_future'),
  ),
)

type HistoricalStatement = Statement & Readable<{ issued_date: LocalDate }>

/** The same for historical statements, which have the day on which the bill was issued besides. */
export const historicalStatementRules = allOf<ReadList<HistoricalStatement>>(
  statementRules,
  each<HistoricalStatement>(notInFuture('issued_date')),
)
