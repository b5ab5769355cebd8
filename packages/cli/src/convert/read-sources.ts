import type { Database } from './database.js'
import { rootOf } from './slices.js'
import { nodesOf, type Statements, type Tree } from './statements.js'
import { schema, type Table } from './tables.js'

/** The tables that a statement reads, in views and macros too, by the plan from before the optimizer. */
export const tablesRead = async ({ rows }: Database, sql: string): Promise<readonly string[]> => {
  const plans = await rows(`EXPLAIN (FORMAT JSON) ${sql}`)
  const [, plan] = plans.find(([kind]) => kind === 'logical_plan') ?? []
  return [...nodesOf(JSON.parse(String(plan)))].flatMap(({ Table: name }) =>
    typeof name === 'string' ? [name.toLowerCase().replaceAll('"', '')] : [],
  )
}

const mentions = (tree: unknown, table: string): boolean =>
  [...nodesOf(tree)].some(({ table_name: name }) => String(name).toLowerCase() === table)

/** Whether a column of the query names a source row. */
const isKeyItem = ({ alias, column_names: names }: Tree): boolean =>
  String(alias === '' ? (names as readonly string[] | undefined)?.at(-1) : alias).startsWith('_')

/**
 * The names of the sources that no field of an account is made of: the query reads them neither itself nor in the tables that were
 * created for it, or it reads them only for columns that name source rows. `made`: the tables that the creations read.
 */
export const unreadSources = async (
  database: Database,
  { query, trees: [tree, ...creations] }: Statements,
  tables: readonly Table[],
  made: readonly string[],
): Promise<ReadonlySet<string>> => {
  const direct = await tablesRead(database, query)
  const read = direct.every((each) => each.includes(`.${schema}.`)) ? direct : [...direct, ...made]
  const root = rootOf(tree)
  const items = (root?.['select_list'] ?? []) as readonly Tree[]
  const keys = items.filter(isKeyItem)
  const others = [creations, { ...root, select_list: items.filter((item) => !isKeyItem(item)) }]
  return new Set(
    tables
      .map(({ source }) => source.name)
      .filter((name) => {
        const lower = name.toLowerCase()
        const isRead = read.some((each) => each.endsWith(`.${schema}.${lower}`))
        return !isRead || (mentions(keys, lower) && !mentions(others, lower))
      }),
  )
}
