import type { Knex } from 'knex'
import type { SchemaDialect } from './schema-dialect.js'

type Add = (
  knex: Knex,
  schema: SchemaDialect,
  table: string,
  columns: readonly string[],
  indexName: string,
) => Promise<void>

/** Makes a unique key of a table; one that a run has made which was cut off later is left as it is. */
export const addUnique: Add = async (knex, schema, name, columns, indexName) => {
  if (!(await schema.hasIndex(knex, name, indexName)))
    await knex.schema.alterTable(name, (table) => table.unique([...columns], { indexName }))
}

/** The same for an index that is not unique. */
export const addIndex: Add = async (knex, schema, name, columns, indexName) => {
  if (!(await schema.hasIndex(knex, name, indexName)))
    await knex.schema.alterTable(name, (table) => table.index([...columns], indexName))
}
