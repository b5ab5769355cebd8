import type { SourceRows } from '../account-files/report/source-rows.js'
import { accountsTable, keyColumns } from './accounts.js'
import { type Database, quoted } from './database.js'
import type { Column } from './json-columns.js'
import { refuseMissing } from './missing-column.js'
import { refusedMapping, type Source } from './sources.js'
import { treeOfExpression } from './statements.js'
import { schema, type Table } from './tables.js'

/** Refuses keys and sums that are no expressions over the columns of their file. */
export const checkExpressions = async (database: Database, tables: readonly Table[]): Promise<void> => {
  for (const table of tables) {
    const { key, sums, name } = table.source
    for (const { sql } of [...(key === undefined ? [] : [key]), ...sums]) {
      const tree = await treeOfExpression(database, sql)
      if (tree === undefined)
        throw refusedMapping(
          `The source ${name} declares ${sql}, which is no column and no SQL expression over its columns.`,
        )
      refuseMissing(table, tree)
    }
  }
}

/** The columns of the query that may hold the key of a source: the one of its name, or all of them. */
const columnsFor = (source: Source, columns: readonly Column[]): readonly number[] => {
  const all = keyColumns(columns)
  const own = all.findIndex(({ name }) => name.toLowerCase() === `_${source.key?.name}`.toLowerCase())
  return own >= 0 ? [own] : all.map((_, at) => at)
}

/** An SQL condition that is true for rows whose key is that of an account. */
const isUsed = (source: Source, columns: readonly Column[]): string => {
  const keys = columnsFor(source, columns).map((at) => `SELECT unnest(key_${at}) AS k FROM ${accountsTable}`)
  return `coalesce(row_key IN (SELECT k FROM (${keys.join(' UNION ALL ')}) WHERE k IS NOT NULL), false)`
}

/** A decimal with two digits behind the point or more. */
const amount = (value: string | number | null | undefined): string =>
  String(value ?? '0').replace(/(\.\d\d\d*?)0*$/, '$1')

const rowsOf = async (database: Database, table: Table, columns: readonly Column[]): Promise<SourceRows> => {
  const { source, fileName, rejected } = table
  const { key, sums } = source
  const amounts = sums.map(({ sql }, at) => `TRY_CAST(TRY(${sql}) AS DECIMAL(30, 6)) AS sum_${at}`)
  const keyText = key === undefined ? 'NULL' : `CAST(TRY(${key.sql}) AS VARCHAR)`
  const inner = `SELECT ${[`_line`, `${keyText} AS row_key`, ...amounts].join(', ')} FROM ${schema}.${quoted(source.name)}`
  const rows = `SELECT *, ${key === undefined ? 'true' : isUsed(source, columns)} AS used FROM (${inner})`
  const totals = sums.map(
    (_, at) => `, sum(sum_${at}), sum(sum_${at}) FILTER (used), count(*) - count(sum_${at})`,
  )
  const [[read, used, line, firstKey, ...added] = []] = await database.rows(
    `SELECT count(*)::INTEGER, (count(*) FILTER (used))::INTEGER, min(_line) FILTER (NOT used), arg_min(row_key, _line) FILTER (NOT used)${totals.join('')}
     FROM (${rows})`,
  )
  return {
    source: source.name,
    file: fileName,
    rows: Number(read),
    rejected,
    used: key === undefined ? undefined : Number(used),
    firstUnused:
      key === undefined || line === null || line === undefined
        ? undefined
        : { line: Number(line), key: key.name, value: firstKey === null ? '' : String(firstKey) },
    sums: sums.map(({ name }, at) => ({
      name,
      all: amount(added[3 * at]),
      used: amount(added[3 * at + 1]),
      withoutNumber: Number(added[3 * at + 2] ?? 0),
    })),
  }
}

/**
 * The rows of each source, and how many of them an account uses: a row is used where its key is in a column of an account that
 * begins with `_`.
 */
export const accountFor = async (
  database: Database,
  tables: readonly Table[],
  columns: readonly Column[],
): Promise<readonly SourceRows[]> => {
  const keyed = tables.find(({ source }) => source.key !== undefined)
  if (keyed !== undefined && keyColumns(columns).length === 0)
    throw refusedMapping(
      `The mapping has no column for the key of ${keyed.source.name}: add c.${keyed.source.key?.name} AS _${keyed.source.key?.name}, or declare key none.`,
    )
  const all: SourceRows[] = []
  for (const table of tables) all.push(await rowsOf(database, table, columns))
  return all
}
