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

const isAfter =
  '(unsealed_since > ? OR (unsealed_since = ? AND ' +
  '(import_supplier > ? OR (import_supplier = ? AND external_account_number > ?))))'

/** Of one organisation, in the order of `unsealedOf`. */
const after = (last: UnsealedImport | undefined): readonly [text: string, values: readonly string[]] => {
  if (last === undefined) return [isUnsealed, []]
  const since = last.unsealed_since ?? ''
  const { import_supplier: supplier, external_account_number: number } = last
  return [`unsealed_since >= ? AND ${isAfter}`, [since, since, since, supplier, supplier, number]]
}

/**
 * The imports of an organisation, or of one supplier or account of it, whose entries wait longest; after that one where one is
 * given.
 */
export const unsealedOf = (
  db: Statements,
  dialect: SqlDialect,
  { organisation, importSupplier, externalAccountNumber }: AuditFilter,
  last: UnsealedImport | undefined,
  limit: number,
): Promise<readonly UnsealedImport[]> => {
  const [isNext, place] = after(last)
  const values = [organisation, importSupplier, externalAccountNumber]
  const named = keyColumns.filter((_, index) => values[index] !== undefined)
  const isOfAccount = named.length === keyColumns.length
  const table = isOfAccount
    ? tables.accountImports
    : dialect.foundBy(tables.accountImports, 'account_imports_unsealed')
  return selectRows<UnsealedImport>(
    db,
    `SELECT ${keyColumns.join(', ')}, unsealed, unsealed_since FROM ${table} ` +
      `WHERE ${[isNext, ...named.map((column) => `${column} = ?`)].join(' AND ')} ` +
      `ORDER BY unsealed_since, ${keyColumns.join(', ')} LIMIT ${limit}`,
    [...place, ...values.filter((value) => value !== undefined)],
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
