import type { Knex } from 'knex'
import { dialectOf } from '../connect/dialect-of.js'

/**
 * The collation that keeps different texts different: it compares code points and does not ignore spaces at the
 * end. MariaDB and MySQL name it differently; SQLite has no other.
 */
const exactCollation = async (knex: Knex): Promise<string | undefined> => {
  if (dialectOf(knex) === 'sqlite') return undefined
  const [rows] = (await knex.raw('SELECT VERSION() AS version')) as [{ version: string }[]]
  return /mariadb/i.test(rows[0]?.version ?? '') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
}

/** Creates a table whose texts are all compared exactly. */
export const createTable = async (
  knex: Knex,
  name: string,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> => {
  const collation = await exactCollation(knex)
  await knex.schema.createTable(name, (table) => {
    if (collation !== undefined) {
      table.engine('InnoDB')
      table.charset('utf8mb4')
      table.collate(collation)
    }
    define(table)
  })
}
