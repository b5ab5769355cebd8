import type { ReferencesRequest } from '@account-import/core'
import type { Knex } from 'knex'
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

type NamingRow = Readonly<{ platform_account_number: string; value: string }>

/** What the rows of created accounts name, by platform account number. */
export const createdPaths = async (
  db: Knex,
  { organisation, importSupplier }: ReferencesRequest,
  imports: readonly ReferringImport[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const paths = new Map<string, Set<string>>()
  const numbers = imports.flatMap(({ platform_account_number }) => platform_account_number ?? [])
  if (numbers.length === 0) return paths
  for (const { table, column, condition, pathsIn } of sources) {
    const rows = (await db(table)
      .where({ organisation, import_supplier: importSupplier })
      .whereIn('platform_account_number', numbers)
      .whereRaw(condition)
      .select('platform_account_number', { value: column })) as readonly NamingRow[]
    for (const { platform_account_number: number, value } of rows) {
      const named = paths.get(number) ?? new Set()
      for (const path of pathsIn(value)) named.add(path)
      paths.set(number, named)
    }
  }
  return paths
}
