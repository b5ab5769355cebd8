import { connectSql, migrate } from '@account-import/adapter-sql'
import type { DatabaseServer } from '../../servers/index.js'

type Knex = ReturnType<typeof connectSql>

/** A freshly migrated database, until it is returned. */
export type MigratedDatabase = Readonly<{
  url: string
  /** `isSpoiled`: its tables are other ones now. */
  giveBack(isSpoiled: boolean): Promise<void>
}>

/** Tests that hold a database at one time: more would make each other wait. */
const mostHeld = 6

/** A table with this number of rows is created faster than it is emptied. */
const manyRows = 3000

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

/** MySQL names a column in capitals unless the query names it. */
const tablesIn = async (knex: Knex, database: string): Promise<readonly string[]> => {
  const tables = knex('information_schema.tables').where({ table_schema: database })
  const rows = (await tables.select({ name: 'table_name' })) as readonly Readonly<{ name: string }>[]
  return rows.map(({ name }) => name)
}

/** How many rows each table has, as far as that is less than many. */
const rowsIn = async (
  knex: Knex,
  database: string,
  tables: readonly string[],
): Promise<Readonly<Record<string, number>>> => {
  const counts = tables.map(
    () => `(SELECT COUNT(*) FROM (SELECT 1 FROM ??.?? LIMIT ${manyRows}) AS some) AS ??`,
  )
  const names = tables.flatMap((name) => [database, name, name])
  const [[row]] = (await knex.raw(`SELECT ${counts.join()}`, names)) as [[Readonly<Record<string, number>>]]
  return row
}

/**
 * Lends freshly migrated databases of a server. The first one is migrated and kept unchanged, the others are copies of it, which
 * take a quarter of the time; a returned one is emptied for the next test, which takes a tenth of that.
 */
export const migratedDatabases = (
  server: Pick<DatabaseServer, 'createDatabase'>,
): Readonly<{ take(): Promise<MigratedDatabase>; close(): Promise<void> }> => {
  const free: string[] = []
  const waiting: (() => void)[] = []
  let held = 0
  const makePattern = async () => {
    const url = await server.createDatabase()
    const knex = connectSql(url, { maxConnections: 2 })
    await migrate(knex)
    const [from, tables] = [nameIn(url), await tablesIn(knex, nameIn(url))]
    const rows = await rowsIn(knex, from, tables)
    return { knex, from, tables, filled: tables.filter((name) => Number(rows[name]) > 0) }
  }
  let made: ReturnType<typeof makePattern> | undefined
  const pattern = () => (made ??= makePattern())
  /** No table has a foreign key, which a copy would not have. */
  const copy = async (): Promise<string> => {
    const { knex, from, tables, filled } = await pattern()
    const url = await server.createDatabase()
    for (const name of tables)
      await knex.raw('CREATE TABLE ??.?? LIKE ??.??', [nameIn(url), name, from, name])
    for (const name of filled)
      await knex.raw('INSERT INTO ??.?? SELECT * FROM ??.??', [nameIn(url), name, from, name])
    return url
  }
  /** Empties the tables that a test has filled; returns whether that was possible. */
  const empty = async (to: string): Promise<boolean> => {
    const { knex, from, tables, filled } = await pattern()
    const rows = await rowsIn(knex, to, tables)
    if (Object.values(rows).some((count) => Number(count) >= manyRows)) return false
    for (const name of tables)
      if (filled.includes(name) || Number(rows[name]) > 0) await knex.raw('DELETE FROM ??.??', [to, name])
    for (const name of filled) await knex.raw('INSERT INTO ??.?? SELECT * FROM ??.??', [to, name, from, name])
    return true
  }
  return {
    take: async () => {
      if (held >= mostHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      else held += 1
      const url = free.pop() ?? (await copy())
      return {
        url,
        giveBack: async (isSpoiled) => {
          try {
            if (!isSpoiled && (await empty(nameIn(url)))) free.push(url)
          } finally {
            const next = waiting.shift()
            if (next === undefined) held -= 1
            else next()
          }
        },
      }
    },
    close: async () => {
      await (await made)?.knex.destroy()
    },
  }
}
