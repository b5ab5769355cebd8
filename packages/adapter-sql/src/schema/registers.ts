import { instant, lengths, longText, wrappedKey } from './columns.js'
import type { TableDefinition } from './create-table.js'

/** The tables of what an operator sets up: organisations, suppliers, teams, keys and tokens. */
export const registers: readonly TableDefinition[] = [
  {
    name: 'organisations',
    define: (table) => {
      table.string('code', lengths.organisation).notNullable().primary()
      longText(table, 'name').notNullable()
      instant(table, 'created_at').notNullable()
      instant(table, 'disabled_at')
    },
  },
  {
    name: 'import_suppliers',
    define: (table) => {
      table.string('code', lengths.importSupplier).notNullable().primary()
      table.string('organisation', lengths.organisation).notNullable()
      table.string('status', 16).notNullable()
      longText(table, 'settings').notNullable()
    },
  },
  {
    name: 'operations_teams',
    define: (table) => {
      table.string('name', lengths.operationsTeam).notNullable().primary()
    },
  },
  {
    name: 'operations_team_bindings',
    define: (table) => {
      table.string('operations_team', lengths.operationsTeam).notNullable()
      table.string('organisation', lengths.organisation).notNullable()
      table.primary(['operations_team', 'organisation'])
    },
  },
  {
    name: 'api_keys',
    define: (table) => {
      table.string('id', lengths.token).notNullable().primary()
      table.string('organisation', lengths.organisation).notNullable()
      table.string('secret_hash', lengths.token).notNullable()
      longText(table, 'scopes').notNullable()
      instant(table, 'created_at').notNullable()
      instant(table, 'expires_at')
      instant(table, 'revoked_at')
      table.string('name', 100)
      instant(table, 'last_used_at')
    },
  },
  {
    name: 'api_key_networks',
    define: (table) => {
      table.string('api_key_id', lengths.token).notNullable()
      table.string('network', lengths.token).notNullable()
      instant(table, 'first_used_at').notNullable()
      table.primary(['api_key_id', 'network'])
    },
  },
  // A row is a family of refresh tokens, of which the latest is good; one that was ended has no `secret_hash`.
  {
    name: 'refresh_tokens',
    define: (table) => {
      table.string('hash', lengths.token).notNullable().primary()
      table.string('api_key_id', lengths.token).notNullable()
      instant(table, 'expires_at').notNullable()
      table.string('secret_hash', lengths.token)
      instant(table, 'ends_at').notNullable()
    },
    indexes: [
      { name: 'refresh_tokens_by_end', columns: ['expires_at'] },
      { name: 'refresh_tokens_by_key', columns: ['api_key_id', 'ends_at'] },
    ],
  },
  // Of each key that wraps data keys there is one that it wrapped: by it a server can tell whether it has the key.
  {
    name: 'encryption_keys',
    define: (table) => {
      table.string('key_id', lengths.token).notNullable().primary()
      wrappedKey(table, 'data_key').notNullable()
      instant(table, 'first_used_at').notNullable()
    },
  },
]
