import { fromSqlInstant } from '../rows/instants.js'
import type { Row } from '../rows/row.js'

const instant = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/

/**
 * Whether a column holds what was written. Drivers give decimals and large numbers as texts or as numbers, and leave out
 * milliseconds that are zero.
 */
const isSame = (written: unknown, held: unknown): boolean => {
  if (written === held) return true
  if (typeof written === 'string' && typeof held === 'string')
    return instant.test(written) && instant.test(held) && fromSqlInstant(written) === fromSqlInstant(held)
  if (typeof written === 'number' && typeof held === 'string') return String(written) === held
  return typeof written === 'string' && typeof held === 'number' && Number(written) === held
}

/** The columns of a row that do not hold what was written. */
export const differingColumns = (written: Row, held: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(written).filter((column) => !isSame(written[column] ?? null, held[column]))

const amounts: ReadonlySet<string> = new Set(['amount', 'ledger_balance', 'last_statement_balance'])

/** Whether the column holds money. */
export const isAmount = (column: string): boolean => amounts.has(column)
