import type { Knex } from 'knex'
import { tables } from '../tables.js'
import { instant, lengths, longText } from './columns.js'
import { createTable } from './create-table.js'

/** What the operator sets up: organisations, suppliers, teams and keys. */
export const up = async (knex: Knex): Promise<void> => {
  await createTable(knex, tables.organisations, (table) => {
    table.string('code', lengths.organisation).notNullable().primary()
    longText(table, 'name').notNullable()
    instant(table, 'created_at').notNullable()
  })
  await createTable(knex, tables.importSuppliers, (table) => {
    table.string('code', lengths.importSupplier).notNullable().primary()
    table.string('organisation', lengths.organisation).notNullable()
    table.string('status', 16).notNullable()
    longText(table, 'settings').notNullable()
  })
  await createTable(knex, tables.operationsTeams, (table) => {
    table.string('name', lengths.operationsTeam).notNullable().primary()
  })
  await createTable(knex, tables.apiKeys, (table) => {
    table.string('id', lengths.token).notNullable().primary()
    table.string('organisation', lengths.organisation).notNullable()
    table.string('secret_hash', lengths.token).notNullable()
    longText(table, 'scopes').notNullable()
    instant(table, 'created_at').notNullable()
    instant(table, 'expires_at')
    instant(table, 'revoked_at')
  })
  await createTable(knex, tables.refreshTokens, (table) => {
    table.string('hash', lengths.token).notNullable().primary()
    table.string('api_key_id', lengths.token).notNullable()
    instant(table, 'expires_at').notNullable().index('refresh_tokens_by_end')
  })
}

export const down = async (knex: Knex): Promise<void> => {
  await knex.schema.dropTable(tables.refreshTokens)
  await knex.schema.dropTable(tables.apiKeys)
  await knex.schema.dropTable(tables.operationsTeams)
  await knex.schema.dropTable(tables.importSuppliers)
  await knex.schema.dropTable(tables.organisations)
}
