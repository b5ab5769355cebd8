import type { Step } from './schema-dialect.js'

const table = 'kept_answers'
const column = 'is_done'

/**
 * What a request with an idempotency key asks for is done, whether or not its answer could be kept. A version that does not
 * know the column leaves it as it is.
 */
export const up: Step = async (knex) => {
  if (!(await knex.schema.hasColumn(table, column)))
    await knex.schema.alterTable(table, (altered) => {
      altered.boolean(column).notNullable().defaultTo(false)
    })
}
