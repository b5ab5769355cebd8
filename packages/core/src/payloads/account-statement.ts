import { date, documentPath, key, optional, required, struct } from '../codec/index.js'
import { supplyType } from './supply-type.js'

/** A bill from before the migration. Both days of the billed period are inclusive. */
export const accountStatement = struct('account statement', {
  bill_period_from_date: required(date),
  bill_period_to_date: required(date),
  statement_path: optional(documentPath),
  statement_id: required(key(255)),
  supply_type: optional(supplyType),
})
