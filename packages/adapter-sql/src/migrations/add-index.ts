import type { Knex } from 'knex'
import { dialectOf } from '../connect/dialect-of.js'

const isThere = async (knex: Knex, table: string, index: string): Promise<boolean> => {
  const found: unknown =
    dialectOf(knex) === 'sqlite'
      ? await knex('sqlite_master').where({ type: 'index', tbl_name: table, name: index }).first('name')
      : await knex('information_schema.statistics')
          .whereRaw('table_schema = DATABASE()')
          .where({ table_name: table, index_name: index })
          .first('index_name')
  return found !== undefined
}

const addMissing = async (
  knex: Knex,
  name: string,
  index: string,
  define: (table: Knex.AlterTableBuilder) => void,
): Promise<void> => {
  if (!(await isThere(knex, name, index))) await knex.schema.alterTable(name, define)
}

/** Makes a unique key of a table; one that a run has made which was cut off later is left as it is. */
export const addUnique = (
  knex: Knex,
  name: string,
  columns: readonly string[],
  indexName: string,
): Promise<void> => addMissing(knex, name, indexName, (table) => table.unique([...columns], { indexName }))

/** The same for an index that is not unique. */
export const addIndex = (
  knex: Knex,
  name: string,
  columns: readonly string[],
  indexName: string,
): Promise<void> => addMissing(knex, name, indexName, (table) => table.index([...columns], indexName))
