import type { AccountImportList, AccountImportListItem, PageRequest } from '@account-import/core'
import type { Knex } from 'knex'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { AccountImportRow } from '../rows/account-imports.js'
import { fromOptionalSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'

type ItemRow = Pick<
  AccountImportRow,
  'external_account_number' | 'platform_account_number' | 'account_created_at'
>

/** The imports of a list, and the index in which they stand next to each other, in the order of the list. */
const lists: Readonly<Record<AccountImportList, Readonly<{ index: string; holds: string }>>> = {
  all: { index: 'PRIMARY', holds: 'staged_version > 0' },
  pending: { index: 'account_imports_lists', holds: "state = 'staged'" },
  imported: { index: 'account_imports_lists', holds: "state = 'created'" },
}

const itemOf = (row: ItemRow): AccountImportListItem => ({
  externalAccountNumber: row.external_account_number,
  platformAccountNumber: row.platform_account_number ?? undefined,
  accountCreatedAt: fromOptionalSqlInstant(row.account_created_at),
})

/** One page, found by its first key: never by counting rows. */
export const page = async (
  db: Knex,
  dialect: SqlDialect,
  { organisation, importSupplier, list, after, limit }: PageRequest,
): Promise<readonly AccountImportListItem[]> => {
  const { index, holds } = lists[list]
  const query = db(db.raw(dialect.inOrderOf(tables.accountImports, index)))
    .select('external_account_number', 'platform_account_number', 'account_created_at')
    .where({ organisation, import_supplier: importSupplier })
    .whereRaw(holds)
    .orderBy('external_account_number')
    .limit(limit, { skipBinding: true })
  if (after !== undefined) void query.where('external_account_number', '>', after)
  const rows = (await query) as readonly ItemRow[]
  return rows.map(itemOf)
}
