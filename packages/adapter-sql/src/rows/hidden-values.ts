import type { DataKey } from '../encryption/data-keys.js'
import { encryptText, fingerprint, type OwnerRow } from '../encryption/encrypted-text.js'
import type { AccountRowKey } from './account-row-key.js'
import type { TableRows } from './account-tables.js'
import { partTables, placeOf } from './part-tables.js'
import { foundByColumns, personalColumns } from './personal-columns.js'
import type { Row } from './row.js'
import { tables } from './tables.js'

/** The values of rows that are kept encrypted: by table and place of the row, then by column. */
export type HiddenValues = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Stands in a column whose value is kept encrypted. */
export const placeholder = 'enc:'

/** Short lists that are empty are no secret, and are told apart by statements. */
const isHidden = (value: unknown): value is string => typeof value === 'string' && value !== '[]'

const ordinalsOf = new Map(partTables.map(({ table, ordinals }) => [table, ordinals]))

type AnyRow = Readonly<Record<string, unknown>>

/** How the row is named in `HiddenValues`. */
export const hiddenName = (table: string, row: AnyRow): string =>
  `${table} ${placeOf(row, ordinalsOf.get(table) ?? [])}`

/** The column, as its fingerprints name it. */
const columnName = (table: string, column: string): string => `${table}.${column}`

const fingerprintOf = ({ bytes }: DataKey, table: string, column: string, value: string): string =>
  fingerprint(bytes, columnName(table, column), value)

/** The texts by which a value is found in its column: as it is, in rows from before the account had its data key, and by its fingerprint. */
export const asKept = (
  dataKey: DataKey | undefined,
  table: string,
  column: string,
  value: string,
): readonly string[] =>
  dataKey === undefined ? [value] : [value, fingerprintOf(dataKey, table, column, value)]

/** The rows without what tells of a person, and that. Rows of a table keep having the same columns. */
export const hideRows = (
  dataKey: DataKey,
  { table, rows }: TableRows,
): Readonly<{ rows: readonly Row[]; hidden: HiddenValues }> => {
  const columns = personalColumns.get(table)
  if (columns === undefined) return { rows, hidden: {} }
  const hidden: Record<string, Record<string, string>> = {}
  const kept = rows.map((row) => {
    const values: Record<string, string> = {}
    const left: Record<string, Row[string]> = { ...row }
    for (const column of columns) {
      const value = row[column]
      if (!isHidden(value)) continue
      values[column] = value
      left[column] = foundByColumns.has(columnName(table, column))
        ? fingerprintOf(dataKey, table, column, value)
        : placeholder
    }
    if (Object.keys(values).length > 0) hidden[hiddenName(table, row)] = values
    return left
  })
  return { rows: kept, hidden }
}

/** Where it is kept. */
export const detailsOwner = (key: AccountRowKey, ordinal: number): OwnerRow => [
  tables.encryptedDetails,
  key.organisation,
  key.import_supplier,
  key.platform_account_number,
  String(ordinal),
]

/** The row that keeps hidden values; `ordinal` counts the times that rows of the account were written. */
export const encryptedDetailsRow = (
  dataKey: DataKey,
  key: AccountRowKey,
  ordinal: number,
  hidden: HiddenValues,
): Row => ({
  organisation: key.organisation,
  import_supplier: key.import_supplier,
  platform_account_number: key.platform_account_number,
  ordinal,
  content: encryptText(dataKey.bytes, detailsOwner(key, ordinal), JSON.stringify(hidden)),
})
