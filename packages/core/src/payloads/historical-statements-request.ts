import type { TypeOf } from 'io-ts'
import { date, documentPath, key, list, money, optional, required, struct, text } from '../codec/index.js'
import { accountFields } from './account-fields.js'

/** A bill to add. Both days of the billed period are inclusive; `number` is printed on the bill. */
const historicalStatement = struct('historical statement', {
  bill_period_from_date: required(date),
  bill_period_to_date: required(date),
  statement_id: required(key(255)),
  issued_date: optional(date),
  number: optional(text(255)),
  gross_amount: optional(money),
  statement_path: optional(documentPath),
})

/** The request to add bills from before the migration to a created account. */
export const historicalStatementsRequest = struct('historical statements request', {
  ...accountFields,
  statements: required(list(historicalStatement)),
})

export type HistoricalStatementsRequest = TypeOf<typeof historicalStatementsRequest>
