import type { Table } from './table.js'

/** The tables of the audit record: the sealed chain, and the events that no import carries while they wait for it. */
export const audit: readonly Table[] = [
  {
    name: 'audit_unsealed',
    columns: `
      organisation VARCHAR(64) NOT NULL,
      import_supplier VARCHAR(32) NOT NULL,
      entry_id VARCHAR(64) NOT NULL,
      entry LONGTEXT NOT NULL`,
    primary: 'organisation, import_supplier, entry_id',
  },
  {
    name: 'audit_log',
    columns: `
      organisation VARCHAR(64) NOT NULL,
      sequence BIGINT NOT NULL,
      at DATETIME(3) NOT NULL,
      what VARCHAR(64) NOT NULL,
      who LONGTEXT NOT NULL,
      request_id LONGTEXT,
      import_supplier VARCHAR(32),
      external_account_number VARCHAR(128),
      subject LONGTEXT,
      before_hash VARCHAR(64),
      after_hash VARCHAR(64),
      hash VARCHAR(64) NOT NULL`,
    primary: 'organisation, sequence',
    indexes: { audit_log_accounts: 'organisation, import_supplier, external_account_number, sequence' },
  },
]
