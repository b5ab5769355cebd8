import type { Step } from './schema-dialect.js'

const table = 'accounts'

/** How often something was added to an account: a column that every addition writes, and nobody reads. */
export const up: Step = async (knex) => {
  if (!(await knex.schema.hasColumn(table, 'additions')))
    await knex.schema.alterTable(table, (altered) => {
      altered.integer('additions').notNullable().defaultTo(0)
    })
}
