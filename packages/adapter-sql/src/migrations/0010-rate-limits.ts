import { addIndex } from './add-index.js'
import { instant } from './columns.js'
import { createTable } from './create-table.js'
import type { Step } from './schema-dialect.js'

const name = 'rate_limits'

/** Long enough for a kind, an API key's id and a network address together. */
const subjectLength = 255

const createLimits: Step = (knex, schema) =>
  createTable(knex, schema, name, (table) => {
    table.string('subject', subjectLength).notNullable()
    instant(table, 'begins_at').notNullable()
    instant(table, 'expires_at').notNullable()
    table.integer('used').notNullable()
    table.primary(['subject', 'begins_at'])
  })

/**
 * What all servers together count: how much of a limit a subject has used in the window of time that begins then. A subject
 * begins with what it is, such as `key:`, so that limits of several kinds share the table. Nothing is ever counted down, and
 * rows are removed once they have expired; the index serves whoever does that.
 */
export const up: Step = async (knex, schema) => {
  if (!(await knex.schema.hasTable(name))) await createLimits(knex, schema)
  await addIndex(knex, schema, name, ['expires_at'], 'rate_limits_by_end')
}
