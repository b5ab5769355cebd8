import type { Knex } from 'knex'
import type { SchemaDialect } from './schema-dialect.js'

type Index = Readonly<{ name: string; columns: readonly string[] }>

/** A table: its columns and primary key, then its other keys and indexes by their names. */
export type TableDefinition = Readonly<{
  name: string
  define(table: Knex.CreateTableBuilder): void
  unique?: readonly Index[]
  indexes?: readonly Index[]
}>

const createColumns = async (
  knex: Knex,
  schema: SchemaDialect,
  { name, define }: TableDefinition,
): Promise<void> => {
  if (await knex.schema.hasTable(name)) return
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

/**
 * Creates a table whose texts are all compared exactly, and its indexes. MySQL ends a transaction with each change of a
 * table: a step that was cut off is run again, and leaves as it is whatever is there already.
 */
export const createTable = async (
  knex: Knex,
  schema: SchemaDialect,
  definition: TableDefinition,
): Promise<void> => {
  const { name: table, unique = [], indexes = [] } = definition
  await createColumns(knex, schema, definition)
  for (const { name, columns } of unique)
    if (!(await schema.hasIndex(knex, table, name)))
      await knex.schema.alterTable(table, (altered) => altered.unique([...columns], { indexName: name }))
  for (const { name, columns } of indexes)
    if (!(await schema.hasIndex(knex, table, name)))
      await knex.schema.alterTable(table, (altered) => altered.index([...columns], name))
}
