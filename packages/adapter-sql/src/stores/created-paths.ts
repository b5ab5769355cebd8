import type { ReferencesRequest } from '@account-import/core'
import type { Knex } from 'knex'
import type { DataKeys } from '../encryption/data-keys.js'
import { placeholder } from '../rows/hidden-values.js'
import { revealWith, type EncryptedDetails, type Reveal } from '../rows/reveal.js'
import { documentPaths } from '../rows/notes.js'
import { tables } from '../rows/tables.js'
import { accountKeyColumns } from '../statements/account-key.js'
import { chunks } from '../statements/chunks.js'
import { selectRows } from '../statements/select-rows.js'
import { grouped } from './grouped.js'
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

type Supplier = Readonly<{ organisation: string; import_supplier: string }>

type HiddenRow = EncryptedDetails & Readonly<{ platform_account_number: string; data_key: string }>

const hiddenText = (accounts: number): string =>
  `SELECT a.platform_account_number, a.data_key, d.ordinal, d.content FROM ${tables.accounts} AS a ` +
  `JOIN ${tables.encryptedDetails} AS d ON ${accountKeyColumns.map((name) => `d.${name} = a.${name}`).join(' AND ')} ` +
  'WHERE a.organisation = ? AND a.import_supplier = ? AND a.data_key IS NOT NULL ' +
  `AND a.platform_account_number IN (${Array(accounts).fill('?').join(', ')})`

/** Accounts whose hidden values are held at a time: an account may have some MiB of them. */
const heldAtOnce = { maxItems: 20, maxBytes: Infinity, bytesOf: () => 0 }

/** What gives the rows of each of the accounts as they were written; none of those that have been erased meanwhile. */
const revealing = async (
  db: Knex,
  dataKeys: DataKeys,
  { organisation, import_supplier }: Supplier,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Reveal>> => {
  const rows = await selectRows<HiddenRow>(db, hiddenText(numbers.length), [
    organisation,
    import_supplier,
    ...numbers,
  ])
  const rowsOf = grouped(rows, (row) => row.platform_account_number)
  const reveals = new Map<string, Reveal>()
  for (const number of numbers) {
    const [first] = rowsOf(number)
    if (first === undefined) continue
    const key = { organisation, import_supplier, platform_account_number: number }
    reveals.set(number, revealWith(await dataKeys.of(first.data_key), key, rowsOf(number)))
  }
  return reveals
}

type Found = Readonly<{ source: Source; row: NamingRow }>

const isHidden = ({ source, row }: Found): boolean => row[source.column] === placeholder

const pathsOf = ({ source }: Found, row: NamingRow): readonly string[] =>
  source.pathsIn(row[source.column] ?? '')

/** What the rows of created accounts name, by platform account number. */
export const createdPaths = async (
  db: Knex,
  dataKeys: DataKeys,
  { organisation, importSupplier }: ReferencesRequest,
  imports: readonly ReferringImport[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const paths = new Map<string, Set<string>>()
  const name = (found: Found, row: NamingRow): void => {
    const named = paths.get(row.platform_account_number) ?? new Set()
    for (const path of pathsOf(found, row)) named.add(path)
    paths.set(row.platform_account_number, named)
  }
  const numbers = imports.flatMap(({ platform_account_number }) => platform_account_number ?? [])
  if (numbers.length === 0) return paths
  const supplier = { organisation, import_supplier: importSupplier }
  const hiding: Found[] = []
  for (const source of sources) {
    const rows = (await db(source.table)
      .where(supplier)
      .whereIn('platform_account_number', numbers)
      .whereRaw(source.condition)
      .select('platform_account_number', 'ordinal', source.column)) as readonly NamingRow[]
    for (const row of rows) {
      const found = { source, row }
      if (isHidden(found)) hiding.push(found)
      else name(found, row)
    }
  }
  const hidingOf = grouped(hiding, ({ row }) => row.platform_account_number)
  const hidingNumbers = [...new Set(hiding.map(({ row }) => row.platform_account_number))]
  for (const part of chunks(hidingNumbers, heldAtOnce))
    for (const [number, reveal] of await revealing(db, dataKeys, supplier, part))
      for (const found of hidingOf(number)) name(found, reveal(found.source.table, found.row))
  return paths
}
