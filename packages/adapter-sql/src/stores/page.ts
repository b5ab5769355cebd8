import type { AccountImportList, AccountImportListItem, PageRequest } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { AccountImportRow } from '../rows/account-imports.js'
import { fromOptionalSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { merged } from '../statements/merged.js'
import { selectRows } from '../statements/select-rows.js'

type ItemRow = Pick<
  AccountImportRow,
  'external_account_number' | 'platform_account_number' | 'account_created_at'
>

/** What an import of each list is like. Those of a state stand next to each other in the index, in the order of lists. */
const lists: Readonly<Record<AccountImportList, readonly string[]>> = {
  all: ["state = 'staged'", "state = 'created'", "state = 'skipped' AND first_staged_at IS NOT NULL"],
  pending: ["state = 'staged'"],
  imported: ["state = 'created'"],
}

const itemOf = (row: ItemRow): AccountImportListItem => ({
  externalAccountNumber: row.external_account_number,
  platformAccountNumber: row.platform_account_number ?? undefined,
  accountCreatedAt: fromOptionalSqlInstant(row.account_created_at),
})

/** One page, found by its first key: never by counting rows. The index holds all of it, so that no payload is read. */
export const page = async (
  db: Statements,
  dialect: SqlDialect,
  { organisation, importSupplier, list, after = '', limit }: PageRequest,
): Promise<readonly AccountImportListItem[]> => {
  const end = `ORDER BY external_account_number LIMIT ${Math.trunc(limit)}`
  const ranges = lists[list].map(
    (holds) =>
      'SELECT external_account_number, platform_account_number, account_created_at ' +
      `FROM ${dialect.foundBy(tables.accountImports, 'account_imports_pages')} ` +
      `WHERE organisation = ? AND import_supplier = ? AND ${holds} AND external_account_number > ? ${end}`,
  )
  const bindings = ranges.flatMap(() => [organisation, importSupplier, after])
  return (await selectRows<ItemRow>(db, merged(dialect, ranges, end), bindings)).map(itemOf)
}
