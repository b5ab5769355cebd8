import type { Table } from './table.js'

/** The tables of what an operator sets up: organisations, suppliers, teams, keys and tokens. */
export const registers: readonly Table[] = [
  {
    name: 'organisations',
    columns: `
      code VARCHAR(64) NOT NULL,
      name LONGTEXT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      disabled_at DATETIME(3)`,
    primary: 'code',
  },
  {
    name: 'import_suppliers',
    columns: `
      code VARCHAR(32) NOT NULL,
      organisation VARCHAR(64) NOT NULL,
      status VARCHAR(16) NOT NULL,
      settings LONGTEXT NOT NULL`,
    primary: 'code',
  },
  { name: 'operations_teams', columns: 'name VARCHAR(255) NOT NULL', primary: 'name' },
  {
    name: 'operations_team_bindings',
    columns: 'operations_team VARCHAR(255) NOT NULL, organisation VARCHAR(64) NOT NULL',
    primary: 'operations_team, organisation',
  },
  {
    name: 'api_keys',
    columns: `
      id VARCHAR(64) NOT NULL,
      organisation VARCHAR(64) NOT NULL,
      secret_hash VARCHAR(64) NOT NULL,
      scopes LONGTEXT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      expires_at DATETIME(3),
      revoked_at DATETIME(3),
      name VARCHAR(100),
      last_used_at DATETIME(3)`,
    primary: 'id',
  },
  {
    name: 'api_key_networks',
    columns: `
      api_key_id VARCHAR(64) NOT NULL,
      network VARCHAR(64) NOT NULL,
      first_used_at DATETIME(3) NOT NULL`,
    primary: 'api_key_id, network',
  },
  // A row is a family of refresh tokens, of which the latest is good; one that was ended has no `secret_hash`.
  {
    name: 'refresh_tokens',
    columns: `
      hash VARCHAR(64) NOT NULL,
      api_key_id VARCHAR(64) NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      secret_hash VARCHAR(64),
      ends_at DATETIME(3) NOT NULL`,
    primary: 'hash',
    indexes: { refresh_tokens_by_end: 'expires_at', refresh_tokens_by_key: 'api_key_id, ends_at' },
  },
  // Each key that wraps data keys has one row, with a data key that it wrapped: a server can tell by it whether it has the key.
  {
    name: 'encryption_keys',
    columns: `
      key_id VARCHAR(64) NOT NULL,
      data_key VARCHAR(512) NOT NULL,
      first_used_at DATETIME(3) NOT NULL`,
    primary: 'key_id',
  },
]
