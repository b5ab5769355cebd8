import type { RowSum, SourceRows } from '../account-files/report/source-rows.js'
import { amountFields, pathInAccounts } from './account-field.js'
import { accountsTable, keyColumns } from './accounts.js'
import { type Database, quoted, text } from './database.js'
import type { Column } from './json-columns.js'
import { refuseMissing } from './missing-column.js'
import { refusedMapping, type Source } from './sources.js'
import { treeOfExpression } from './statements.js'
import { schema, type Table } from './tables.js'

/** The advice for an expression with the name of a column that SQL needs in quotes; empty for others. */
const quotesHint = (sql: string, columns: readonly string[]): string => {
  const [name] = columns
    .filter((each) => each === sql || (!/^[a-z_]\w*$/i.test(each) && sql.includes(each)))
    .toSorted((one, other) => other.length - one.length)
  return name === undefined || sql.includes(quoted(name))
    ? ''
    : ` A name with a blank or another sign, or that is a word of SQL, is in double quotes: ${sql.replaceAll(name, quoted(name))}`
}

/** Refuses expressions of a source that are none over the columns of its file. */
export const checkExpressions = async (database: Database, tables: readonly Table[]): Promise<void> => {
  for (const table of tables) {
    const { key, sums, ignored, name } = table.source
    for (const { sql } of [...(key === undefined ? [] : [key]), ...sums, ...ignored]) {
      const tree = await treeOfExpression(database, sql)
      const hint = quotesHint(sql, table.columns)
      if (tree === undefined)
        throw refusedMapping(
          `The source ${name} declares ${sql}, which is no column and no SQL expression over its columns.${hint}`,
        )
      refuseMissing(table, tree, hint)
    }
  }
}

/** Removes the rows that their source declares to be ignored; answers how many of each source. */
export const ignoreRows = async (
  database: Database,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for (const { source } of tables.filter(({ source: { ignored } }) => ignored.length > 0)) {
    const from = `FROM ${schema}.${quoted(source.name)} WHERE ${source.ignored.map(({ sql }) => `coalesce(TRY(CAST((${sql}) AS BOOLEAN)), false)`).join(' OR ')}`
    const [[count] = []] = await database.rows(`SELECT count(*)::INTEGER ${from}`)
    await database.run(`DELETE ${from}`)
    counts.set(source.name, Number(count))
  }
  return counts
}

/** The columns of the query that may hold the key of a source: the one of its name, or all of them. */
const columnsFor = (source: Source, columns: readonly Column[]): readonly number[] => {
  const all = keyColumns(columns)
  const own = all.findIndex(({ name }) => name.toLowerCase() === `_${source.key?.name}`.toLowerCase())
  return own >= 0 ? [own] : all.map((_, at) => at)
}

/** An SQL condition that is true for rows whose key is that of an account. */
const isFound = (source: Source, columns: readonly Column[]): string => {
  const keys = columnsFor(source, columns).map((at) => `SELECT unnest(key_${at}) AS k FROM ${accountsTable}`)
  return `coalesce(row_key IN (SELECT k FROM (${keys.join(' UNION ALL ')}) WHERE k IS NOT NULL), false)`
}

/** A decimal with two digits behind the point or more. */
const amount = (value: string | number | null | undefined): string =>
  String(value ?? '0').replace(/(\.\d\d\d*?)0*$/, '$1')

const decimal = 'DECIMAL(38, 6)'

const rowsOf = async (
  database: Database,
  { source, fileName, rejected, spanning }: Table,
  columns: readonly Column[],
): Promise<Omit<SourceRows, 'ignored' | 'isRead'>> => {
  const { key, sums } = source
  const amounts = sums.map(({ sql }, at) => `TRY_CAST(TRY(${sql}) AS DECIMAL(30, 6)) AS sum_${at}`)
  const keyText = key === undefined ? 'NULL' : `CAST(TRY(${key.sql}) AS VARCHAR)`
  const inner = `SELECT ${[`_line`, `${keyText} AS row_key`, ...amounts].join(', ')} FROM ${schema}.${quoted(source.name)}`
  const rows = `SELECT *, ${key === undefined ? 'true' : isFound(source, columns)} AS found FROM (${inner})`
  const totals = sums.map(
    (_, at) => `, sum(sum_${at}), sum(sum_${at}) FILTER (found), count(*) - count(sum_${at})`,
  )
  const [[read, found, keys, line, firstKey, ...added] = []] = await database.rows(
    `SELECT count(*)::INTEGER, (count(*) FILTER (found))::INTEGER, (count(DISTINCT row_key) FILTER (found))::INTEGER,
       min(_line) FILTER (NOT found), arg_min_null(row_key, _line) FILTER (NOT found)${totals.join('')} FROM (${rows})`,
  )
  const firstUnused =
    key === undefined || line === null || line === undefined
      ? undefined
      : { line: Number(line), key: key.name, value: String(firstKey ?? '') }
  return {
    source: source.name,
    file: fileName,
    rows: Number(read),
    rejected,
    spanning,
    keyFound: key === undefined ? undefined : { rows: Number(found), keys: Number(keys) },
    firstUnused,
    sums: sums.map(({ name, field }, at) => ({
      name,
      field,
      all: amount(added[3 * at]),
      found: amount(added[3 * at + 1]),
      withoutNumber: Number(added[3 * at + 2] ?? 0),
      compared: undefined,
    })),
  }
}

/** The sum of a field over the accounts as SQL; of a list, the number of its items. */
const sumOfField = (field: string): string => {
  const path = pathInAccounts(field) ?? ''
  if (path.endsWith('[*]')) return `sum(len(json_extract(fields, ${text(path)})))`
  const values = `json_extract_string(fields, ${text(path)})`
  const list = path.includes('[*]') ? values : `[${values}]`
  return `sum(list_sum(list_transform(${list}, lambda x: TRY_CAST(x AS DECIMAL(30, 6)))))`
}

/** The sums of fields over the accounts. */
const accountSums = async (database: Database, fields: readonly string[]): Promise<readonly string[]> => {
  const sums = fields.map((field) => `coalesce(${sumOfField(field)}, 0)::${decimal}`)
  const [found = []] = await database.rows(`SELECT ${sums.join(', ')} FROM ${accountsTable}`)
  return found.map(String)
}

/**
 * Compares each sum with that of its field in the accounts: together, where several sources have sums for one field. A sum that
 * names no field has to be that of any amount.
 */
const compared = async (database: Database, files: readonly SourceRows[]): Promise<readonly SourceRows[]> => {
  const sums = files.flatMap((file) => file.sums)
  const fields = [...new Set(sums.flatMap(({ field }) => (field === undefined ? amountFields : [field])))]
  if (fields.length === 0) return files
  const inAccounts = await accountSums(database, fields)
  const resultOf = async ({ field, found }: RowSum): Promise<RowSum['compared']> => {
    const at =
      field === undefined ? inAccounts.findIndex((sum) => amount(sum) === found) : fields.indexOf(field)
    const [name, accounts] = [fields[at], inAccounts[at]]
    if (name === undefined || accounts === undefined) return undefined
    if (field === undefined) return { field: name, accounts: found, difference: '0.00' }
    const all = sums.filter((sum) => sum.field === field).map((sum) => `${sum.found}::${decimal}`)
    const [[difference] = []] = await database.rows(`SELECT ${all.join(' + ')} - ${accounts}::${decimal}`)
    return { field, accounts: amount(accounts), difference: amount(difference) }
  }
  return Promise.all(
    files.map(async (file) => ({
      ...file,
      sums: await Promise.all(file.sums.map(async (sum) => ({ ...sum, compared: await resultOf(sum) }))),
    })),
  )
}

/**
 * The rows of each source, how many have the key of an account, and the declared sums of source and accounts. A key that was found
 * does not prove that the values of its row are in the account; equal sums do.
 */
export const accountFor = async (
  database: Database,
  tables: readonly Table[],
  columns: readonly Column[],
  { ignored, unread }: Readonly<{ ignored: ReadonlyMap<string, number>; unread: ReadonlySet<string> }>,
): Promise<readonly SourceRows[]> => {
  const keyed = tables.find(({ source }) => source.key !== undefined)
  if (keyed !== undefined && keyColumns(columns).length === 0)
    throw refusedMapping(
      `The mapping has no column for the key of ${keyed.source.name}: add c.${keyed.source.key?.name} AS _${keyed.source.key?.name}, or declare key none.`,
    )
  const all: SourceRows[] = []
  for (const table of tables)
    all.push({
      ...(await rowsOf(database, table, columns)),
      ignored: ignored.get(table.source.name),
      isRead: !unread.has(table.source.name),
    })
  return compared(database, all)
}
