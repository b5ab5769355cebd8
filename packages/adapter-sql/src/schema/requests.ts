import type { Table } from './table.js'

/** The tables that servers share about requests: idempotency records, rates, and which server does a job of all servers. */
export const requests: readonly Table[] = [
  // One row for each idempotency key that was used within a day: a claim, then the answer that is kept. A process that removes
  // expired rows does so for all organisations, so none leads that index.
  {
    name: 'idempotency_records',
    columns: `
      organisation VARCHAR(64) NOT NULL,
      request VARCHAR(64) NOT NULL,
      content VARCHAR(64) NOT NULL,
      claim_token VARCHAR(64) NOT NULL,
      claim_ends_at DATETIME(3) NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      status INT,
      headers LONGTEXT,
      body LONGTEXT,
      import_supplier VARCHAR(32),
      external_account_number VARCHAR(128),
      data_key VARCHAR(512),
      is_done BOOLEAN NOT NULL`,
    primary: 'organisation, request',
    indexes: {
      idempotency_records_by_end: 'expires_at',
      idempotency_records_by_account: 'organisation, import_supplier, external_account_number',
    },
  },
  // How much of a limit a subject has used in the window of time that begins then. A subject begins with its kind, such as
  // `key:`, so that limits of several kinds share the table; with an API key's id and a network it has up to 255 characters.
  {
    name: 'rate_limits',
    columns: `
      subject VARCHAR(255) NOT NULL,
      begins_at DATETIME(3) NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      used INT NOT NULL`,
    primary: 'subject, begins_at',
    indexes: { rate_limits_by_end: 'expires_at' },
  },
  {
    name: 'leases',
    columns: 'job VARCHAR(64) NOT NULL, token VARCHAR(64) NOT NULL, ends_at DATETIME(3) NOT NULL',
    primary: 'job',
  },
]
