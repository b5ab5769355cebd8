import { instant, lengths, longText } from './columns.js'
import { createTable } from './create-table.js'
import type { Step } from './schema-dialect.js'

/** What the operator sets up: organisations, suppliers, teams and keys. */
export const up: Step = async (knex, schema) => {
  await createTable(knex, schema, 'organisations', (table) => {
    table.string('code', lengths.organisation).notNullable().primary()
    longText(table, 'name').notNullable()
    instant(table, 'created_at').notNullable()
  })
  await createTable(knex, schema, 'import_suppliers', (table) => {
    table.string('code', lengths.importSupplier).notNullable().primary()
    table.string('organisation', lengths.organisation).notNullable()
    table.string('status', 16).notNullable()
    longText(table, 'settings').notNullable()
  })
  await createTable(knex, schema, 'operations_teams', (table) => {
    table.string('name', lengths.operationsTeam).notNullable().primary()
  })
  await createTable(knex, schema, 'api_keys', (table) => {
    table.string('id', lengths.token).notNullable().primary()
    table.string('organisation', lengths.organisation).notNullable()
    table.string('secret_hash', lengths.token).notNullable()
    longText(table, 'scopes').notNullable()
    instant(table, 'created_at').notNullable()
    instant(table, 'expires_at')
    instant(table, 'revoked_at')
  })
  await createTable(knex, schema, 'refresh_tokens', (table) => {
    table.string('hash', lengths.token).notNullable().primary()
    table.string('api_key_id', lengths.token).notNullable()
    instant(table, 'expires_at').notNullable().index('refresh_tokens_by_end')
  })
}
