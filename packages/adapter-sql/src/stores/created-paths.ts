import type { ReferencesRequest } from '@account-import/core'
import type { Knex } from 'knex'
import type { DataKeys } from '../encryption/data-keys.js'
import { placeholder } from '../rows/hidden-values.js'
import { asItIs, type Reveal } from '../rows/reveal.js'
import { revealAccount } from './reveal-account.js'
import { documentPaths } from '../rows/notes.js'
import { tables } from '../rows/tables.js'
import type { ReferringImport } from './referring-imports.js'

/** A table of created accounts that names documents: in which column, in which of its rows, and how. */
type Source = Readonly<{
  table: string
  column: string
  condition: string
  pathsIn(value: string): readonly string[]
}>

const sources: readonly Source[] = [
  {
    table: tables.statements,
    column: 'statement_path',
    condition: 'statement_path IS NOT NULL',
    pathsIn: (path) => [path],
  },
  {
    table: tables.notes,
    column: 'document_paths',
    condition: "document_paths <> '[]'",
    pathsIn: (list) => documentPaths.fromText(list).map(({ document_path }) => document_path),
  },
]

type NamingRow = Readonly<{ platform_account_number: string; ordinal: number } & Record<string, string>>

type KeyRow = Readonly<{ platform_account_number: string; data_key: string | null }>

/** What gives the rows of each of the accounts as they were written; of those of which something is encrypted. */
const revealing = async (
  db: Knex,
  dataKeys: DataKeys,
  supplier: Readonly<{ organisation: string; import_supplier: string }>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Reveal>> => {
  if (numbers.length === 0) return new Map()
  const rows = (await db(tables.accounts)
    .where(supplier)
    .whereIn('platform_account_number', numbers)
    .whereNotNull('data_key')
    .select('platform_account_number', 'data_key')) as readonly KeyRow[]
  const reveals = new Map<string, Reveal>()
  for (const { platform_account_number, data_key } of rows)
    reveals.set(
      platform_account_number,
      await revealAccount(db, dataKeys, { ...supplier, platform_account_number }, data_key),
    )
  return reveals
}

/** What the rows of created accounts name, by platform account number. */
export const createdPaths = async (
  db: Knex,
  dataKeys: DataKeys,
  { organisation, importSupplier }: ReferencesRequest,
  imports: readonly ReferringImport[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const paths = new Map<string, Set<string>>()
  const numbers = imports.flatMap(({ platform_account_number }) => platform_account_number ?? [])
  if (numbers.length === 0) return paths
  const supplier = { organisation, import_supplier: importSupplier }
  const found: (readonly [Source, readonly NamingRow[]])[] = []
  for (const source of sources)
    found.push([
      source,
      (await db(source.table)
        .where(supplier)
        .whereIn('platform_account_number', numbers)
        .whereRaw(source.condition)
        .select('platform_account_number', 'ordinal', source.column)) as readonly NamingRow[],
    ])
  const hiding = found.flatMap(([{ column }, rows]) =>
    rows.flatMap((row) => (row[column] === placeholder ? row.platform_account_number : [])),
  )
  const reveals = await revealing(db, dataKeys, supplier, [...new Set(hiding)])
  for (const [{ table, column, pathsIn }, rows] of found)
    for (const row of rows) {
      const { platform_account_number: number } = row
      const named = paths.get(number) ?? new Set()
      const { [column]: value = '' } = (reveals.get(number) ?? asItIs)(table, row)
      for (const path of pathsIn(value)) named.add(path)
      paths.set(number, named)
    }
  return paths
}
