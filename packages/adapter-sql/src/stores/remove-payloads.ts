import type { DuePayloads } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { endOfLine, withLine } from '../rows/unsealed-line.js'
import type { Session } from '../session/session.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { marks } from '../statements/marks.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'

/** Payloads that one statement removes at most: locks are held for the time that their pages take. */
const atOnce = 64

type Due = Readonly<{ external_account_number: string }>

/** All that is equal is said, so that the index gives what is due in the order of the last column alone. */
const findText = (dialect: SqlDialect, limit: number): string =>
  `SELECT external_account_number FROM ${dialect.foundBy(tables.accountImports, 'account_imports_summary')} ` +
  "WHERE organisation = ? AND import_supplier = ? AND state = 'created' AND latest_failure_code IS NULL " +
  'AND claim_expires_at IS NULL AND payload_removed_at IS NULL AND account_created_at <= ? ' +
  `ORDER BY account_created_at LIMIT ${Math.trunc(limit)}`

const removeText = (count: number): string =>
  `UPDATE ${tables.accountImports} SET unsealed = ${withLine(tables.accountImports, '?')}, ` +
  'unsealed_since = COALESCE(unsealed_since, ?), payload = NULL, data_key = NULL, payload_removed_at = ? ' +
  `WHERE organisation = ? AND import_supplier = ? AND external_account_number IN (${marks(count)}) ` +
  "AND state = 'created' AND payload_removed_at IS NULL"

const removePage = async (
  db: Statements,
  dialect: SqlDialect,
  { organisation, importSupplier, createdBy, at, limit, by }: DuePayloads,
): Promise<Readonly<{ found: number; removed: number }>> => {
  const due = await selectRows<Due>(db, findText(dialect, limit), [
    organisation,
    importSupplier,
    toSqlInstant(createdBy),
  ])
  if (due.length === 0) return { found: 0, removed: 0 }
  // In the order of the keys, as all lock them.
  const numbers = filledUp(due.map((row) => row.external_account_number).sort())
  const bindings = [organisation, importSupplier, ...numbers]
  const now = toSqlInstant(at)
  const line = endOfLine({ at, what: 'staged_data_removed', by })
  return {
    found: due.length,
    removed: await updateRows(db, removeText(numbers.length), [line, now, now, ...bindings]),
  }
}

/** A page at a time, each a statement of its own that finds what is due by an index, and removes it by its keys. */
export const removePayloads = async ({ dialect, query }: Session, due: DuePayloads): Promise<number> => {
  let removed = 0
  for (let left = due.limit; left > 0;) {
    const limit = Math.min(left, atOnce)
    const page = await query((db) => removePage(db, dialect, { ...due, limit }))
    removed += page.removed
    if (page.found < limit) break
    left -= page.found
  }
  return removed
}
