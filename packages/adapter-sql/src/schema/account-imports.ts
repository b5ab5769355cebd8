import { importKey, importKeyColumns, type Table } from './table.js'

const ofSupplier = 'organisation, import_supplier, state'

/** The tables of the processes that make accounts, and of the e-mails that follow from them. */
export const accountImports: readonly Table[] = [
  // The payload lies in the row, so that an account is staged by one statement; `unsealed` holds the audit events of the
  // import that are not sealed yet.
  {
    name: 'account_imports',
    columns: `
      ${importKeyColumns},
      staged_version INT NOT NULL,
      first_staged_at DATETIME(3),
      staged_at DATETIME(3),
      staging_id VARCHAR(64),
      import_run VARCHAR(32),
      state VARCHAR(8) NOT NULL,
      skipped BOOLEAN NOT NULL,
      claim_token VARCHAR(64),
      claim_expires_at DATETIME(3),
      holds_slot BOOLEAN NOT NULL,
      attempts INT NOT NULL,
      latest_failure_code VARCHAR(128),
      latest_failure_at DATETIME(3),
      platform_account_number VARCHAR(32),
      account_created_at DATETIME(3),
      created_version INT,
      payload LONGTEXT,
      payload_hash VARCHAR(64),
      unsealed LONGTEXT,
      unsealed_since DATETIME(3),
      payload_removed_at DATETIME(3),
      erased_at DATETIME(3),
      data_key VARCHAR(512)`,
    primary: importKey,
    indexes: {
      // Staged imports in the order in which they are processed: oldest first.
      account_imports_staged: `${ofSupplier}, first_staged_at, external_account_number`,
      // All that a list shows and is told apart by: no list reads a row, in which a payload lies.
      account_imports_pages: `${ofSupplier}, external_account_number, platform_account_number, account_created_at, first_staged_at`,
      // All that a summary counts, in the order of its groups. The last two columns find the staged data that is due.
      account_imports_summary: `${ofSupplier}, latest_failure_code, claim_expires_at, payload_removed_at, account_created_at`,
      account_imports_unsealed: 'unsealed_since',
      account_imports_runs: 'organisation, import_supplier, import_run',
    },
  },
  // `open_source` is the source of a run that is not finished: each supplier has one such run of each source. `watched_since`
  // is the latest progress of a run that is not finished; once it is told that the run is stalled, its latest request; once it is told
  // that the run is interrupted, NULL.
  {
    name: 'import_runs',
    columns: `
      id VARCHAR(32) NOT NULL,
      organisation VARCHAR(64) NOT NULL,
      import_supplier VARCHAR(32) NOT NULL,
      label VARCHAR(255),
      source_name VARCHAR(255),
      source_sha256 VARCHAR(64),
      open_source VARCHAR(320),
      started_by LONGTEXT NOT NULL,
      started_at DATETIME(3) NOT NULL,
      latest_request_at DATETIME(3) NOT NULL,
      latest_progress_at DATETIME(3) NOT NULL,
      watched_since DATETIME(3),
      finished_at DATETIME(3),
      failures_removed_at DATETIME(3)`,
    primary: 'id',
    unique: { import_runs_by_source: 'organisation, import_supplier, open_source' },
    indexes: {
      import_runs_of_organisation: 'organisation, started_at, id',
      import_runs_of_supplier: 'organisation, import_supplier, started_at, id',
      import_runs_watched: 'watched_since',
    },
  },
  // `details` holds address and secrets, encrypted where the database is.
  {
    name: 'webhooks',
    columns: `
      id VARCHAR(32) NOT NULL,
      organisation VARCHAR(64) NOT NULL,
      events VARCHAR(255) NOT NULL,
      details LONGTEXT NOT NULL,
      data_key VARCHAR(512),
      created_at DATETIME(3) NOT NULL,
      disabled_at DATETIME(3),
      latest_delivery_at DATETIME(3),
      latest_failure_code VARCHAR(128),
      latest_failure_at DATETIME(3),
      failing_since DATETIME(3)`,
    primary: 'id',
    indexes: { webhooks_of_organisation: 'organisation, id' },
  },
  // Deliveries that wait: a webhook has each event of a run once.
  {
    name: 'webhook_deliveries',
    columns: `
      webhook VARCHAR(32) NOT NULL,
      id VARCHAR(96) NOT NULL,
      event VARCHAR(32) NOT NULL,
      import_run VARCHAR(32) NOT NULL,
      occurred_at DATETIME(3) NOT NULL,
      due_at DATETIME(3) NOT NULL,
      attempts INT NOT NULL`,
    primary: 'webhook, id',
    indexes: { webhook_deliveries_due: 'webhook, due_at' },
  },
  // A row is a finding of an account that a run was refused: `ordinal` counts those of an account, and `attr` is NULL where
  // `code`, then that of the refusal, says all. `line` is 0 and the number is empty where they are not known.
  {
    name: 'import_run_failures',
    columns: `
      import_run VARCHAR(32) NOT NULL,
      step VARCHAR(8) NOT NULL,
      line BIGINT NOT NULL,
      external_account_number VARCHAR(128) NOT NULL,
      ordinal INT NOT NULL,
      refusal VARCHAR(128) NOT NULL,
      code VARCHAR(128) NOT NULL,
      field VARCHAR(255) NOT NULL,
      attr VARCHAR(255),
      times INT NOT NULL,
      failed_at DATETIME(3) NOT NULL`,
    primary: 'import_run, step, line, external_account_number, ordinal',
    indexes: {
      import_run_failures_by_code: 'import_run, step, code, field, ordinal',
      import_run_failures_by_account: 'import_run, external_account_number',
    },
  },
  {
    name: 'processing_slots',
    columns: 'slot INT NOT NULL, claim_token VARCHAR(64), expires_at DATETIME(3)',
    primary: 'slot',
  },
  // One e-mail for each account at most. `due_at` is when a waiting one may be taken; while a relay holds it, the end of
  // the relay's lease. All relays of the service take by that index, so no supplier leads it.
  {
    name: 'customer_emails',
    columns: `
      ${importKeyColumns},
      id VARCHAR(64) NOT NULL,
      platform_account_number VARCHAR(32) NOT NULL,
      language VARCHAR(8) NOT NULL,
      enqueued_at DATETIME(3) NOT NULL,
      state VARCHAR(8) NOT NULL,
      due_at DATETIME(3),
      claim_token VARCHAR(64),
      settled_at DATETIME(3),
      attempts INT NOT NULL,
      served LONGTEXT NOT NULL,
      latest_failure_code VARCHAR(128),
      latest_failure_at DATETIME(3)`,
    primary: importKey,
    unique: { customer_emails_by_id: 'id' },
    indexes: {
      customer_emails_due: 'state, due_at',
      customer_emails_lists: `${ofSupplier}, external_account_number`,
    },
  },
]
