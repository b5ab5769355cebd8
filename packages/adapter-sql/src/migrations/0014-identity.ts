import { instant, lengths } from './columns.js'
import { createTable } from './create-table.js'
import type { Step } from './schema-dialect.js'

const bindings = 'operations_team_bindings'

/**
 * Organisations may be disabled, keys are known to have been used, and teams may be bound to organisations: whatever is there
 * already is enabled, was not used, and is bound to none.
 */
export const up: Step = async (knex, schema) => {
  if (!(await knex.schema.hasColumn('organisations', 'disabled_at')))
    await knex.schema.alterTable('organisations', (table) => {
      instant(table, 'disabled_at')
    })
  if (!(await knex.schema.hasColumn('api_keys', 'last_used_at')))
    await knex.schema.alterTable('api_keys', (table) => {
      instant(table, 'last_used_at')
    })
  if (!(await knex.schema.hasTable(bindings)))
    await createTable(knex, schema, bindings, (table) => {
      table.string('operations_team', lengths.operationsTeam).notNullable()
      table.string('organisation', lengths.organisation).notNullable()
      table.primary(['operations_team', 'organisation'])
    })
}
