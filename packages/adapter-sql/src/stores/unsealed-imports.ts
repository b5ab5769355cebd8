import type { AuditEntry, AuditFilter } from '@account-import/core'
import type { SqlDialect } from '../dialects/sql-dialect.js'
import type { AccountImportRow } from '../rows/account-imports.js'
import { importKeyOf, type ImportKeyRow } from '../rows/import-key.js'
import { fromSqlInstant } from '../rows/instants.js'
import { tables } from '../rows/tables.js'
import { entriesOfLines } from '../rows/unsealed-line.js'
import type { Statements } from '../session/statements.js'
import { filledUp } from '../statements/filled-up.js'
import { compareKeys, hasOneOfKeys, keyColumns } from '../statements/import-keys.js'
import { selectRows } from '../statements/select-rows.js'
import { updateRows } from '../statements/update-rows.js'

export type UnsealedImport = ImportKeyRow & Pick<AccountImportRow, 'unsealed' | 'unsealed_since'>

/** A condition that is true of every time, and that both databases look up in the index. */
const isUnsealed = "unsealed_since >= '1000-01-01 00:00:00.000'"

/** The imports whose entries wait longest. All of it is in the index. */
export const unsealedKeys = (
  db: Statements,
  dialect: SqlDialect,
  limit: number,
): Promise<readonly ImportKeyRow[]> =>
  selectRows<ImportKeyRow>(
    db,
    `SELECT ${keyColumns.join(', ')} FROM ${dialect.foundBy(tables.accountImports, 'account_imports_unsealed')} ` +
      `WHERE ${isUnsealed} ORDER BY unsealed_since LIMIT ${limit}`,
    [],
  )

/** The imports of an organisation, or of one supplier or account of it, whose entries wait longest. */
export const unsealedOf = (
  db: Statements,
  dialect: SqlDialect,
  { organisation, importSupplier, externalAccountNumber }: AuditFilter,
  limit: number,
): Promise<readonly UnsealedImport[]> => {
  const values = [organisation, importSupplier, externalAccountNumber]
  const named = keyColumns.filter((_, index) => values[index] !== undefined)
  const isOfAccount = named.length === keyColumns.length
  const table = isOfAccount
    ? tables.accountImports
    : dialect.foundBy(tables.accountImports, 'account_imports_unsealed')
  return selectRows<UnsealedImport>(
    db,
    `SELECT ${keyColumns.join(', ')}, unsealed, unsealed_since FROM ${table} ` +
      `WHERE ${[isUnsealed, ...named.map((column) => `${column} = ?`)].join(' AND ')} ` +
      `ORDER BY unsealed_since LIMIT ${limit}`,
    values.filter((value) => value !== undefined),
  )
}

const inOrderOfKeys = (keys: readonly ImportKeyRow[]) => keys.map(importKeyOf).sort(compareKeys)

/** Those of the imports that still have entries, locked until the transaction ends. In the order of their keys, as all lock them. */
export const lockedImports = async (
  db: Statements,
  dialect: SqlDialect,
  keys: readonly ImportKeyRow[],
): Promise<readonly UnsealedImport[]> => {
  if (keys.length === 0) return []
  const { sql, bindings } = hasOneOfKeys(filledUp(inOrderOfKeys(keys)))
  return selectRows<UnsealedImport>(
    db,
    `SELECT ${keyColumns.join(', ')}, unsealed, unsealed_since ` +
      `FROM ${dialect.inOrderOf(tables.accountImports, 'PRIMARY')} ` +
      `WHERE (${sql}) AND ${isUnsealed} ${dialect.forUpdate}`,
    bindings,
  )
}

/** Takes the entries away from imports that are locked. */
export const clearImports = async (
  db: Statements,
  dialect: SqlDialect,
  imports: readonly UnsealedImport[],
): Promise<void> => {
  if (imports.length === 0) return
  const { sql, bindings } = hasOneOfKeys(filledUp(inOrderOfKeys(imports)))
  const table = dialect.inOrderOf(tables.accountImports, 'PRIMARY')
  await updateRows(db, `UPDATE ${table} SET unsealed = NULL, unsealed_since = NULL WHERE ${sql}`, bindings)
}

/** What the row of an import carries. Where somebody took the entries and left their time, that is what is said. */
export const entriesOfImport = (row: UnsealedImport): readonly AuditEntry[] =>
  row.unsealed_since === null
    ? []
    : entriesOfLines(importKeyOf(row), fromSqlInstant(row.unsealed_since), row.unsealed ?? 'taken away')
