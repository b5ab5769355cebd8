import { createPool, type Pool } from 'mysql2'

/** A pool of the driver alone, without the promises that it wraps around each call. */
export const openPool = (url: string, connectionLimit: number): Pool => {
  const pool = createPool({ uri: url, connectionLimit, maxIdle: connectionLimit, dateStrings: true })
  pool.on('connection', (connection) =>
    connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'),
  )
  return pool
}

/** The floor of staging: one row an account, the payload as it came. */
export const createImportsTable =
  'CREATE TABLE IF NOT EXISTS floor_imports (import_supplier VARCHAR(32) NOT NULL, ' +
  'external_account_number VARCHAR(128) NOT NULL, payload LONGTEXT NOT NULL, ' +
  "version INT UNSIGNED NOT NULL DEFAULT 1, state VARCHAR(12) NOT NULL DEFAULT 'staged', " +
  'platform_account_number VARCHAR(32) NULL, staged_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), ' +
  'PRIMARY KEY (import_supplier, external_account_number)) ' +
  'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'

/** Stages so many accounts at once: supplier, number and payload of each. One row counts as 1 when it is new, else 2. */
export const upsertImports = (rows: number): string =>
  'INSERT INTO floor_imports (import_supplier, external_account_number, payload) VALUES ' +
  Array<string>(rows).fill('(?, ?, ?)').join(', ') +
  ' ON DUPLICATE KEY UPDATE payload = VALUES(payload), version = version + 1, staged_at = CURRENT_TIMESTAMP(3)'
