import type { FileFailure } from '@account-import/account-files'
import { SqlFailure } from './database.js'
import { refusedMapping } from './sources.js'
import { nodesOf, type Tree } from './statements.js'
import { looksLikeData, namelessHint, type Table } from './tables.js'

const hasColumn = ({ columns }: Table, name: string): boolean =>
  name.toLowerCase() === '_line' || columns.some((column) => column.toLowerCase() === name.toLowerCase())

/** The columns of a file for a message, which shows no data. */
const columnsText = ({ columns }: Table): string =>
  looksLikeData(columns) ? namelessHint(columns) : `it has: ${columns.join(', ')}.`

/** The failure of a column that the file of a source does not have. */
const noColumn = (table: Table, name: string, hint = ''): FileFailure =>
  refusedMapping(`${table.fileName} has no column ${name}; ${columnsText(table)}${hint}`)

/** Refuses an expression over a source that names another column, with a hint. */
export const refuseMissing = (table: Table, tree: Tree, hint: string): void => {
  for (const { class: kind, column_names: names } of nodesOf(tree)) {
    const [name] = (names as readonly string[] | undefined) ?? []
    if (kind === 'COLUMN_REF' && name !== undefined && !hasColumn(table, name))
      throw noColumn(table, name, hint)
  }
}

/** The sources by the names that the statements give them; undefined for a name of something else too. */
const namedSources = (trees: readonly Tree[], tables: readonly Table[]) => {
  const named = new Map<string, Set<Table> | undefined>()
  for (const { type, alias, table_name: name } of nodesOf(trees)) {
    if (
      typeof alias !== 'string' ||
      !/^(?:BASE_TABLE|SUBQUERY|TABLE_FUNCTION|EXPRESSION_LIST)$/.test(String(type))
    )
      continue
    const key = (alias === '' ? String(name) : alias).toLowerCase()
    const table = tables.find(({ source }) => source.name.toLowerCase() === String(name).toLowerCase())
    const known = named.has(key) ? named.get(key) : new Set<Table>()
    if (type !== 'BASE_TABLE' || table === undefined) named.set(key, undefined)
    else named.set(key, known?.add(table))
  }
  return named
}

/**
 * The failure about a column that a file does not have, where DuckDB could not bind the statements for that reason; else the
 * cause. DuckDB names the table of an outer query instead.
 */
export const withMissingColumn = (
  cause: unknown,
  trees: readonly Tree[],
  tables: readonly Table[],
): unknown => {
  if (!(cause instanceof SqlFailure) || !cause.sqlMessage.startsWith('Binder Error')) return cause
  const named = namedSources(trees, tables)
  for (const { class: kind, column_names: names } of nodesOf(trees)) {
    const [qualifier, name] = (names as readonly string[] | undefined) ?? []
    if (kind !== 'COLUMN_REF' || qualifier === undefined || name === undefined) continue
    const [table, ...others] = named.get(qualifier.toLowerCase()) ?? []
    if (table !== undefined && ![table, ...others].some((each) => hasColumn(each, name)))
      return noColumn(table, name)
  }
  const [, column] = /Referenced column "(.*?)" not found/.exec(cause.sqlMessage) ?? []
  // DuckDB lists columns that may be meant.
  const nameless = tables.find(({ columns }) => looksLikeData(columns))
  if (column === undefined || tables.some((table) => hasColumn(table, column)))
    return nameless === undefined
      ? cause
      : refusedMapping(
          `${cause.message.split('\n')[0]} ${nameless.fileName}: ${namelessHint(nameless.columns)}`,
        )
  const [only, ...more] = tables
  return only !== undefined && more.length === 0
    ? noColumn(only, column)
    : refusedMapping(
        `No source has a column ${column}. ${tables.map((table) => `${table.fileName}: ${columnsText(table)}`).join(' ')}`,
      )
}
