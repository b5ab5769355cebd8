import { type Database, quoted, text } from './database.js'
import { type Column, isList } from './json-columns.js'
import { type Statements, type Tree, treeOf } from './statements.js'

/** The part of each key: consecutive accounts of the query are in one part, so that all parts have its order. */
const partsTable = 'slice_of_key'

const keyText = (expression: string): string => `coalesce(CAST(${expression} AS VARCHAR), '')`

const isOfSlice = (expression: string, slice: number): string =>
  `${keyText(expression)} IN (SELECT slice_key FROM ${partsTable} WHERE slice = ${slice})`

/** The query of a tree. */
export const rootOf = (tree: unknown): Tree | undefined => {
  const [statement] = (tree as { statements?: readonly { node?: Tree }[] } | undefined)?.statements ?? []
  return statement?.node
}

const hasItems = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** Nodes of an expression without those of its subqueries. */
const ownNodes = (node: unknown): readonly Tree[] => {
  if (Array.isArray(node)) return node.flatMap(ownNodes)
  if (typeof node !== 'object' || node === null || (node as Tree)['class'] === 'SUBQUERY') return []
  return [node as Tree, ...Object.values(node).flatMap(ownNodes)]
}

/** Whether the value of an expression depends on several rows: it has a window, or one of these functions. */
const readsSeveralRows = (expression: unknown, functions: ReadonlySet<string>): boolean =>
  ownNodes(expression).some(
    (node) =>
      node['class'] === 'WINDOW' ||
      (node['class'] === 'FUNCTION' && functions.has(String(node['function_name']).toLowerCase())),
  )

/** Names in lower case of functions and of macros of the mapping by which a row of the query depends on several rows of its tables. */
const functionsOfSeveralRows = async (database: Database): Promise<ReadonlySet<string>> => {
  const named = await database.rows(
    "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type = 'aggregate'",
  )
  const names = new Set(named.map(([name]) => String(name)))
  const macros = await database.rows(
    "SELECT lower(function_name), macro_definition FROM duckdb_functions() WHERE function_type = 'macro' AND NOT internal",
  )
  const bodies: (readonly [name: string, body: unknown])[] = []
  for (const [name, body] of macros)
    bodies.push([String(name), rootOf(await treeOf(database, `SELECT ${body}`))?.['select_list']])
  // A macro may call another one.
  for (let known = -1; known < names.size;) {
    known = names.size
    for (const [name, body] of bodies) if (readsSeveralRows(body, names)) names.add(name)
  }
  return names
}

/** The column of a table that is the key, where a row of the query is made of one row of its tables. */
const keyOfRows = (root: Tree, key: string, several: ReadonlySet<string>): string | undefined => {
  const { type, group_expressions: groups, having, qualify, sample, select_list: items, modifiers } = root
  const others = hasItems(modifiers)
    ? (modifiers as readonly Tree[]).filter((modifier) => modifier['type'] !== 'ORDER_MODIFIER')
    : []
  if (type !== 'SELECT_NODE' || hasItems(groups) || having || qualify || sample || others.length > 0)
    return undefined
  if (readsSeveralRows(items, several)) return undefined
  const found = (items as readonly Tree[]).find(({ alias, class: kind, column_names: names }) => {
    const own = (names as readonly string[] | undefined)?.at(-1)
    return kind === 'COLUMN_REF' && (alias === '' || alias === undefined ? own : alias) === key
  })
  return found && (found['column_names'] as readonly string[]).map(quoted).join('.')
}

/**
 * The query of one part, with the condition inside of it, where DuckDB tests it before it reads the tables of lists. Undefined for
 * a query that cannot be written so; its parts are chosen from its rows.
 */
const innerQuery = async (
  database: Database,
  tree: unknown,
  key: string,
): Promise<((slice: number) => Promise<string | undefined>) | undefined> => {
  const root = rootOf(tree)
  const column = root && keyOfRows(root, key, await functionsOfSeveralRows(database))
  if (root === undefined || column === undefined) return undefined
  return async (slice) => {
    const condition = rootOf(
      await treeOf(database, `SELECT 1 WHERE ${isOfSlice(column, slice)} AND mapping_condition`),
    )
    const { where_clause: where } = condition ?? {}
    const own = root['where_clause']
    const children = (where as { children?: readonly unknown[] } | undefined)?.children ?? []
    const joined = { ...(where as Tree), children: own ? [children[0], own] : [children[0]] }
    const changed = structuredClone(tree) as { statements: { node: Tree }[] }
    const [statement] = changed.statements
    if (statement === undefined) return undefined
    statement.node = { ...root, where_clause: own ? joined : children[0] }
    const [[sql] = []] = await database.rows(`SELECT json_deserialize_sql(${text(JSON.stringify(changed))})`)
    const again = await treeOf(database, String(sql))
    return JSON.stringify(again) === JSON.stringify(changed) ? String(sql).replace(/;\s*$/, '') : undefined
  }
}

/** Yields the query, or in turn the queries of its parts. Together they have the rows of the query, in its order. */
export async function* sliceQuery(
  database: Database,
  statements: Statements,
  columns: readonly Column[],
  slices: number,
): AsyncGenerator<string> {
  const { query } = statements
  const key =
    columns.find(({ name, type }) => name.startsWith('_') && !isList(type))?.name ?? 'external_account_number'
  if (slices === 1 || !columns.some(({ name }) => name === key)) {
    yield query
    return
  }
  await database.run(
    `CREATE OR REPLACE TABLE ${partsTable} AS SELECT slice_key, min(n) * ${slices} // (max(max(n)) OVER () + 1) AS slice
      FROM (SELECT ${keyText(`q.${quoted(key)}`)} AS slice_key, row_number() OVER () - 1 AS n FROM (${query}\n) q)
      GROUP BY slice_key`,
  )
  const inner = await innerQuery(database, statements.trees[0], key)
  for (let slice = 0; slice < slices; slice += 1)
    yield (
      (await inner?.(slice)) ?? `SELECT * FROM (${query}\n) q WHERE ${isOfSlice(`q.${quoted(key)}`, slice)}`
    )
}
