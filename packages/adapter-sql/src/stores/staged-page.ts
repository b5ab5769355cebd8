import type { StagedImport, StagedPageRequest } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { fromSqlInstant, toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { merged } from '../statements/merged.js'
import { selectRows } from '../statements/select-rows.js'

type StagedRow = Readonly<{ external_account_number: string; first_staged_at: string }>

/** One page of what is staged, found by the import before it: never by counting rows. */
export const stagedPage = async (
  db: Statements,
  dialect: SqlDialect,
  { organisation, importSupplier, until, after, limit }: StagedPageRequest,
): Promise<readonly StagedImport[]> => {
  const end = `ORDER BY first_staged_at, external_account_number LIMIT ${Math.trunc(limit)}`
  const range = (condition: string): string =>
    'SELECT external_account_number, first_staged_at ' +
    `FROM ${dialect.foundBy(tables.accountImports, 'account_imports_staged')} ` +
    `WHERE organisation = ? AND import_supplier = ? AND state = 'staged' AND first_staged_at <= ? ${condition} ${end}`
  const key = [organisation, importSupplier, toSqlInstant(until)]
  const since = toSqlInstant(after?.firstStagedAt ?? until)
  // A condition on both columns of the order at once is two ranges.
  const ranges =
    after === undefined
      ? [range('')]
      : [range('AND first_staged_at = ? AND external_account_number > ?'), range('AND first_staged_at > ?')]
  const bindings = after === undefined ? key : [...key, since, after.externalAccountNumber, ...key, since]
  const rows = await selectRows<StagedRow>(db, merged(dialect, ranges, end), bindings)
  return rows.map((row) => ({
    externalAccountNumber: row.external_account_number,
    firstStagedAt: fromSqlInstant(row.first_staged_at),
  }))
}
