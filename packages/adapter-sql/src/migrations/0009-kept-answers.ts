import { addIndex } from './add-index.js'
import { instant, lengths, longText } from './columns.js'
import { createTable } from './create-table.js'
import type { Step } from './schema-dialect.js'

const name = 'kept_answers'

const createAnswers: Step = (knex, schema) =>
  createTable(knex, schema, name, (table) => {
    table.string('organisation', lengths.organisation).notNullable()
    table.string('request', lengths.token).notNullable()
    table.string('content', lengths.token).notNullable()
    table.string('claim_token', lengths.token).notNullable()
    instant(table, 'claim_ends_at').notNullable()
    instant(table, 'expires_at').notNullable()
    table.integer('status')
    longText(table, 'headers')
    longText(table, 'body')
    table.primary(['organisation', 'request'])
  })

/**
 * Answers to requests with an idempotency key, and claims on those that have none yet: one row for each key that was used
 * within a day. The index serves whoever removes what has expired, so no organisation leads it.
 */
export const up: Step = async (knex, schema) => {
  if (!(await knex.schema.hasTable(name))) await createAnswers(knex, schema)
  await addIndex(knex, schema, name, ['expires_at'], 'kept_answers_by_end')
}
