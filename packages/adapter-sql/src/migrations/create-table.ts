import type { Knex } from 'knex'
import type { SchemaDialect } from './schema-dialect.js'

/** Creates a table whose texts are all compared exactly. */
export const createTable = async (
  knex: Knex,
  schema: SchemaDialect,
  name: string,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> => {
  const collation = await schema.exactCollation(knex)
  await knex.schema.createTable(name, (table) => {
    if (collation !== undefined) {
      table.engine('InnoDB')
      table.charset('utf8mb4')
      table.collate(collation)
    }
    define(table)
  })
}
