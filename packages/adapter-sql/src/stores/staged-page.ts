import type { StagedImport, StagedPageRequest } from '@account-import/core'
import { perDialect } from '../dialects/per-dialect.js'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import { fromSqlInstant, toSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { selectRows } from '../statements/select-rows.js'

type StagedRow = Readonly<{ external_account_number: string; first_staged_at: string }>

const order = 'ORDER BY first_staged_at, external_account_number'

/** One range of the index, in its order; a condition on both columns of the order at once is two of them. */
const range = (dialect: SqlDialect, condition: string): string =>
  'SELECT external_account_number, first_staged_at ' +
  `FROM ${dialect.foundBy(tables.accountImports, 'account_imports_staged')} ` +
  "WHERE organisation = ? AND import_supplier = ? AND state = 'staged' AND first_staged_at <= ? " +
  `${condition} ${order} LIMIT ?`

const firstText = perDialect((dialect) => range(dialect, ''))

const nextText = perDialect(
  (dialect) =>
    `SELECT * FROM (SELECT * FROM (${range(dialect, 'AND first_staged_at = ? AND external_account_number > ?')}) AS same ` +
    `UNION ALL SELECT * FROM (${range(dialect, 'AND first_staged_at > ?')}) AS later) AS page ${order} LIMIT ?`,
)

const nextBindings = (key: readonly string[], after: StagedImport, limit: number) => {
  const since = toSqlInstant(after.firstStagedAt)
  return [...key, since, after.externalAccountNumber, limit, ...key, since, limit, limit]
}

/** One page of what is staged, found by the import before it: never by counting rows. */
export const stagedPage = async (
  db: Statements,
  dialect: SqlDialect,
  { organisation, importSupplier, until, after, limit }: StagedPageRequest,
): Promise<readonly StagedImport[]> => {
  const key = [organisation, importSupplier, toSqlInstant(until)]
  const [text, bindings] =
    after === undefined
      ? [firstText(dialect), [...key, limit]]
      : [nextText(dialect), nextBindings(key, after, limit)]
  const rows = await selectRows<StagedRow>(db, text, bindings)
  return rows.map((row) => ({
    externalAccountNumber: row.external_account_number,
    firstStagedAt: fromSqlInstant(row.first_staged_at),
  }))
}
