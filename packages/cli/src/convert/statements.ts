import { type Database, text, tried } from './database.js'
import { refusedMapping, undeclared } from './sources.js'

/** Table functions that make rows without reaching out of the mapping. */
const allowedFunctions = new Set(
  'generate_series json_each json_tree range repeat repeat_row unnest'.split(' '),
)

const onlyQuery = () =>
  refusedMapping('A mapping is one query: SELECT, and before it CREATE for tables, views and macros.')

/** A part of the tree that DuckDB parses a text into. */
export type Tree = Readonly<Record<string, unknown>>

/** All objects of a tree, with itself. */
export function* nodesOf(tree: unknown): Generator<Tree> {
  if (Array.isArray(tree)) for (const each of tree) yield* nodesOf(each)
  else if (typeof tree === 'object' && tree !== null) {
    yield tree as Tree
    for (const each of Object.values(tree)) yield* nodesOf(each)
  }
}

/** The tree of a query, by DuckDB's own parser; undefined for other statements and for text that is no SQL. */
export const treeOf = async ({ rows }: Database, query: string): Promise<Tree | undefined> => {
  const [[json] = []] = await rows(`SELECT json_serialize_sql(${text(query)})`)
  // Places are of no use here, and the largest number, for none, is no number of JavaScript.
  const tree = JSON.parse(String(json), (name, value: unknown) =>
    name === 'query_location' ? 0 : value,
  ) as Tree
  return tree['error'] === true ? undefined : tree
}

const isFileName = (name: string): boolean => /[./\\*]/.test(name)

/** Refuses a tree that reads files itself, or calls a table function that reaches further than a mapping should. */
const refuseReaders = (tree: Tree, builtIn: ReadonlySet<string>): void => {
  for (const node of nodesOf(tree)) {
    if (node['type'] === 'BASE_TABLE' && isFileName(String(node['table_name'])))
      throw undeclared(`The mapping reads the file ${String(node['table_name'])} by itself.`)
    if (node['type'] !== 'TABLE_FUNCTION') continue
    const name = String((node['function'] as Tree | undefined)?.['function_name']).toLowerCase()
    if (allowedFunctions.has(name)) continue
    if (/xlsx|excel|st_read/.test(name))
      throw undeclared(
        `The mapping reads a spreadsheet by ${name}: save the sheet as CSV UTF-8 instead, in the spreadsheet program.`,
      )
    if (/^(?:read_|parquet_scan|sniff_csv|glob$)/.test(name))
      throw undeclared(`The mapping reads files by itself, with ${name}.`)
    if (builtIn.has(name)) throw refusedMapping(`The mapping may not use the function ${name}.`)
  }
}

/** The names of DuckDB's own table functions; a mapping creates others. */
const builtInFunctions = async ({ rows }: Database): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await rows("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type LIKE 'table%'")
    ).map(([name]) => String(name).toLowerCase()),
  )

/** Each text behind an AS: one of them is what the statement creates, whatever stands before it. */
const bodiesOf = (statement: string): readonly string[] =>
  [...statement.matchAll(/as/gi)].flatMap(({ index }) => {
    const body = statement.slice(index + 2)
    return [body, body.replace(/^\s*table\b/i, ' '), `SELECT ${body}`]
  })

/** Checks a CREATE statement before it runs: DuckDB parses only queries into trees, so each possible body is parsed as one. */
const checkedCreation = async (
  database: Database,
  statement: string,
  builtIn: ReadonlySet<string>,
): Promise<readonly Tree[]> => {
  const trees: Tree[] = []
  for (const body of bodiesOf(statement)) {
    const tree = await treeOf(database, body)
    if (tree === undefined) continue
    refuseReaders(tree, builtIn)
    trees.push(tree)
  }
  if (trees.length === 0) throw onlyQuery()
  return trees
}

/** The number of statements in a text; -1 if the text is not SQL. */
const countOf = async ({ connection }: Database, sql: string): Promise<number> => {
  try {
    return (await connection.extractStatements(sql)).count
  } catch {
    return -1
  }
}

/** The text after a place of another text, below as many line ends as are before it: errors name lines of the file. */
const textFrom = (sql: string, from: number, to: number): string =>
  sql.slice(0, from).replaceAll(/[^\n]+/g, '') + sql.slice(from, to)

/** A text from its first word on. One blank, comment or semicolon is skipped at a time, so the time is linear. */
const fromFirstWord = (text: string): string => {
  const skipped = /[\s;]+|--[^\n\r]*|\/\*[\s\S]*?\*\//y
  let at = 0
  while (skipped.test(text)) at = skipped.lastIndex
  return text.slice(at)
}

const isCreation = (statement: string): boolean => /^create\s/i.test(fromFirstWord(statement))

/** The last statement without its semicolon, and the text before it. A semicolon may be in a comment or a text. */
const cut = async (
  database: Database,
  sql: string,
  total: number,
): Promise<readonly [before: string, last: string]> => {
  let end = sql.length
  for (let at = sql.lastIndexOf(';'); at >= 0; at = at === 0 ? -1 : sql.lastIndexOf(';', at - 1)) {
    const before = await countOf(database, sql.slice(0, at))
    if (before === total && fromFirstWord(sql.slice(at + 1)) === '') end = at
    else if (before === total - 1 && (await countOf(database, sql.slice(at + 1, end))) === 1)
      return [sql.slice(0, at), textFrom(sql, at + 1, end)]
  }
  return ['', sql.slice(0, end)]
}

/**
 * The statements of a mapping: those that create tables, views and macros, and the query. `trees`: those of all statements, the
 * query first.
 */
export type Statements = Readonly<{ creations: readonly string[]; query: string; trees: readonly Tree[] }>

/** Cuts a mapping into its statements and refuses others than CREATE and one query, by DuckDB's parser. */
export const statementsOf = async (database: Database, sql: string): Promise<Statements> => {
  const total = await countOf(database, sql)
  if (total === 0) throw refusedMapping('The mapping has no statement.')
  // Rejects with the place of the error.
  if (total < 0) await tried(() => database.connection.extractStatements(sql))
  const [first, query] = await cut(database, sql, total)
  const tree = await treeOf(database, query)
  if (tree === undefined) throw onlyQuery()
  const builtIn = await builtInFunctions(database)
  refuseReaders(tree, builtIn)
  let before = first
  const [creations, trees]: [string[], Tree[]] = [[], [tree]]
  for (let left = total - 1; left > 0; left -= 1) {
    const [rest, statement] = await cut(database, before, left)
    if (!isCreation(statement)) throw onlyQuery()
    trees.push(...(await checkedCreation(database, statement, builtIn)))
    creations.unshift(statement)
    before = rest
  }
  return { creations, query, trees }
}

/** The name of the variable that a node reads; undefined for other nodes, and for a name that is no constant. */
const variableOf = (node: Tree): string | undefined => {
  if (String(node['function_name']).toLowerCase() !== 'getvariable') return undefined
  const [name] = node['children'] as readonly { value?: { value?: unknown } }[]
  return typeof name?.value?.value === 'string' ? name.value.value : undefined
}

/** Refuses a mapping that reads a variable without a value, unless it has another value for it or compares it with null. */
export const refuseUnset = (trees: readonly Tree[], given: ReadonlyMap<string, string>): void => {
  const namesIn = (nodes: readonly Tree[]) => nodes.flatMap((each) => variableOf(each)?.toLowerCase() ?? [])
  const nodes = [...nodesOf(trees)]
  const optional = nodes.flatMap(({ type, children }) =>
    /^OPERATOR_(?:COALESCE|IS_NULL|IS_NOT_NULL)$/.test(String(type))
      ? namesIn(children as readonly Tree[])
      : [],
  )
  const [read, set] = [namesIn(nodes), [...given.keys()].map((name) => name.toLowerCase())]
  const unset = read.find((name) => !optional.includes(name) && !set.includes(name))
  const unread = set.filter((name) => !read.includes(name))
  if (unset !== undefined)
    throw refusedMapping(
      `The mapping reads the variable ${unset}, which nobody set: add --set ${unset}=VALUE.` +
        (unread.length === 0 ? '' : ` It does not read ${unread.join(', ')}.`),
    )
}

/** Number of DuckDB for the statements that a mapping may have before its query. */
const create = 7

/** Runs a checked statement that stands before the query; `before` runs when DuckDB could bind it. */
export const runCreation = async (
  { connection }: Database,
  creation: string,
  before: () => Promise<void>,
): Promise<void> => {
  const statement = await tried(async () => (await connection.extractStatements(creation)).prepare(0))
  if (statement.statementType !== create) throw onlyQuery()
  await before()
  await tried(() => statement.run())
}

/** The tree of an SQL expression; undefined for anything else, and for what reads files. */
export const treeOfExpression = async (database: Database, sql: string): Promise<Tree | undefined> => {
  const tree = await treeOf(database, `SELECT (${sql}\n)`)
  if (tree === undefined) return undefined
  refuseReaders(tree, await builtInFunctions(database))
  const [statement, other] = tree['statements'] as readonly { node: Tree }[]
  const { select_list: items, from_table: from, where_clause: where } = statement?.node ?? {}
  const isExpression =
    other === undefined &&
    (items as readonly Tree[]).length === 1 &&
    (from as Tree)['type'] === 'EMPTY' &&
    !where
  return isExpression ? tree : undefined
}
