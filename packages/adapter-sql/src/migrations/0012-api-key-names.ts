import type { Step } from './schema-dialect.js'

const table = 'api_keys'

/** What people call a key. Keys of before have no name. */
export const up: Step = async (knex) => {
  if (!(await knex.schema.hasColumn(table, 'name')))
    await knex.schema.alterTable(table, (altered) => {
      altered.string('name', 100)
    })
}
