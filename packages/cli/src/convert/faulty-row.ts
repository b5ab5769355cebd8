import { type Database, quoted, SqlFailure } from './database.js'
import { schema, type Table } from './tables.js'

/** Whether statements fail in DuckDB; nothing of them stays. Undefined where that is not known, for lack of memory. */
const fails = async (database: Database, sql: string): Promise<boolean | undefined> => {
  await database.run('BEGIN')
  try {
    await database.run(sql)
    return false
  } catch (cause) {
    if (!(cause instanceof SqlFailure)) throw cause
    return cause.isOutOfMemory ? undefined : true
  } finally {
    await database.run('ROLLBACK')
  }
}

/** Shows the mapping only the rows of a source on these lines. */
const restrict = ({ run }: Database, { source: { name } }: Table, from: number, to: number): Promise<void> =>
  run(
    `CREATE OR REPLACE TEMP VIEW ${quoted(name)} AS FROM ${schema}.${quoted(name)} WHERE _line BETWEEN ${from} AND ${to}`,
  )

/** The line of a source with which alone the statement still fails; the source is restricted to it, or to none. */
const faultyLine = async (database: Database, table: Table, sql: string): Promise<number | undefined> => {
  const stillFails = async (from: number, to: number): Promise<boolean> => {
    await restrict(database, table, from, to)
    return (await fails(database, sql)) === true
  }
  if (await stillFails(0, 0)) return undefined
  let [from, to] = [1, table.lastLine]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (await stillFails(from, middle)) to = middle
    else if (await stillFails(middle + 1, to)) from = middle + 1
    else {
      await restrict(database, table, from, to)
      return undefined
    }
  }
  await restrict(database, table, from, from)
  return from
}

/**
 * The rows that a failed statement fails for, such as `a.csv line 45`, found by halves: DuckDB names no rows. Empty where the
 * failure has another cause. The sources are restricted afterwards.
 */
export const faultyRows = async (
  database: Database,
  tables: readonly Table[],
  sql: string,
): Promise<readonly string[]> => {
  const rows: string[] = []
  for (const table of tables.filter(({ lastLine }) => lastLine > 0)) {
    const line = await faultyLine(database, table, sql)
    if (line !== undefined) rows.push(`${table.fileName} line ${line}`)
  }
  return rows
}
