import type { SqlDialect } from '../dialects/sql-dialect.js'
import { tables } from '../rows/tables.js'
import type { Statements } from '../session/statements.js'
import { accountKeyColumns } from '../statements/account-key.js'
import { keyColumns } from '../statements/import-keys.js'
import { selectRows } from '../statements/select-rows.js'
import type { Break } from './break-kinds.js'
import { accountsByImport, indexId, primaryKey } from './in-order-of.js'
import { encryptedDetailsTable, partTables } from '../rows/part-tables.js'

/** `index`: its name, where rows are read in its order. */
type UniqueKey = Readonly<{ table: string; columns: readonly string[]; index?: string }>

const primary = (table: string, columns: readonly string[]): UniqueKey => ({
  table,
  columns,
  index: primaryKey,
})
const unique = (table: string, columns: readonly string[]): UniqueKey => ({ table, columns })

/** The keys that keep accounts, what belongs to them, and entries of the record from being there twice. */
const uniqueKeys: readonly UniqueKey[] = [
  primary(tables.accountImports, keyColumns),
  primary(tables.accounts, accountKeyColumns),
  { table: tables.accounts, columns: keyColumns, index: accountsByImport },
  unique(tables.accounts, ['platform_account_number']),
  primary(tables.customerEmails, keyColumns),
  unique(tables.customerEmails, ['id']),
  ...[encryptedDetailsTable, ...partTables].map(({ table, ordinals }) =>
    primary(table, [...accountKeyColumns, ...ordinals]),
  ),
  unique(tables.notes, [...accountKeyColumns, 'content_digest', 'identity_time']),
  unique(tables.statements, [...accountKeyColumns, 'statement_id']),
  unique(tables.transactions, [...accountKeyColumns, 'transaction_id', 'copy']),
  unique(tables.paymentInstructions, [...accountKeyColumns, 'vendor', 'reference']),
  primary(tables.auditLog, ['organisation', 'sequence']),
  primary(tables.auditUnsealed, ['organisation', 'import_supplier', 'entry_id']),
]

/** The keys that the database lacks. */
export const missingUniqueKeys = async (
  db: Statements,
  { uniqueKeysOfTables }: SqlDialect,
): Promise<readonly UniqueKey[]> => {
  const rows = await selectRows<Readonly<{ table_name: string; column_names: string }>>(
    db,
    uniqueKeysOfTables,
    [],
  )
  const there = new Set(rows.map(({ table_name, column_names }) => `${table_name} ${column_names}`))
  return uniqueKeys.filter(({ table, columns }) => !there.has(`${table} ${columns.join(',')}`))
}

/** Those of the keys that rows would be read in the order of, by `indexId`. */
export const lackingIndexes = (missing: readonly UniqueKey[]): ReadonlySet<string> =>
  new Set(missing.flatMap(({ table, index }) => (index === undefined ? [] : [indexId(table, index)])))

const twiceText =
  `SELECT platform_account_number FROM ${tables.accounts} ` +
  'GROUP BY platform_account_number HAVING COUNT(*) > 1 ORDER BY platform_account_number'

const numberKey = 'platform_account_number'

/** The missing keys as breaks; where the key of platform account numbers is missing, with the numbers that are there twice. */
export async function* keyBreaks(db: Statements, missing: readonly UniqueKey[]): AsyncGenerator<Break> {
  for (const { table, columns } of missing) yield { kind: 'unique_key_missing', table, columns }
  if (!missing.some(({ columns }) => columns.join() === numberKey)) return
  const rows = await selectRows<Readonly<{ platform_account_number: string }>>(db, twiceText, [])
  for (const row of rows)
    yield {
      kind: 'platform_number_twice',
      platformAccountNumber: row.platform_account_number,
      table: tables.accounts,
    }
}
