/**
 * A table. Its columns are SQL in the types of MySQL, which a dialect may translate; lists of columns are separated by commas.
 */
export type Table = Readonly<{
  name: string
  columns: string
  primary: string
  /** Unique keys and other indexes, by their names. */
  unique?: Readonly<Record<string, string>>
  indexes?: Readonly<Record<string, string>>
}>

/** The key of an import, of its account and of its e-mail. Lengths are in code points. */
export const importKey = 'organisation, import_supplier, external_account_number'

export const importKeyColumns =
  'organisation VARCHAR(64) NOT NULL, import_supplier VARCHAR(32) NOT NULL, ' +
  'external_account_number VARCHAR(128) NOT NULL'

const ofSupplier = 'organisation, import_supplier, state'

/** The columns of an audit event. */
const eventColumns = `
  organisation VARCHAR(64) NOT NULL,
  import_supplier VARCHAR(32) NOT NULL,
  id VARCHAR(64) NOT NULL,
  at DATETIME(3) NOT NULL,
  what VARCHAR(64) NOT NULL,
  who LONGTEXT NOT NULL,
  request_id LONGTEXT,
  external_account_number VARCHAR(128),
  subject LONGTEXT,
  before_hash VARCHAR(64),
  after_hash VARCHAR(64)`

// `open_source` is the source of an unfinished run: a supplier has one unfinished run of each source. `watched_since` of an
// unfinished run is its latest progress, or its latest request once a stall is reported, or NULL once an interruption is
// reported. `created_accounts` and `refused_accounts` are the totals at the end, NULL before: a list counts no accounts of a
// finished run.
export const firstImportRuns: Table = {
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
    created_accounts INT,
    refused_accounts INT,
    undone_accounts INT NOT NULL,
    undone_at DATETIME(3),
    undone_by LONGTEXT,
    failures_removed_at DATETIME(3)`,
  primary: 'id',
  unique: { import_runs_by_source: 'organisation, import_supplier, open_source' },
  indexes: {
    import_runs_of_organisation: 'organisation, started_at, id',
    import_runs_of_supplier: 'organisation, import_supplier, started_at, id',
    import_runs_watched: 'watched_since',
  },
}

// The row contains the payload, so that one statement stages an account, and one creates it: an account is its payload, read in
// the format `created_format` (`accountFromPayload`), and the items that were added. `validated_under` names the rules that found the
// payload valid. Every addition increments `additions`: a node of a cluster does not see the locks of the others, and of two
// transactions that write one row the cluster commits one. `remains` is what erasure leaves of an account, as `AccountDetails` in
// JSON. `replaced_hash` is written by servers of the first
// two migrations: the hash of the data that the latest staging replaced.
export const firstAccountImports: Table = {
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
    created_format INT,
    created_in_run VARCHAR(32),
    operations_team VARCHAR(255),
    additions INT NOT NULL,
    validated_under VARCHAR(255),
    payload LONGBLOB,
    payload_hash VARCHAR(64),
    remains LONGTEXT,
    replaced_hash VARCHAR(64),
    payload_removed_at DATETIME(3),
    erased_at DATETIME(3),
    data_key VARCHAR(512)`,
  primary: importKey,
  // A platform account number is unique across organisations.
  unique: { account_imports_by_number: 'platform_account_number' },
  indexes: {
    // Staged imports in the order in which they are processed: oldest first.
    account_imports_staged: `${ofSupplier}, first_staged_at, external_account_number`,
    // All columns that a list shows and filters by: a list reads the index and no row, which contains a payload.
    account_imports_pages: `${ofSupplier}, external_account_number, platform_account_number, account_created_at, first_staged_at`,
    // All columns that a summary counts, in the order of its groups. The last two columns find payloads that are due for
    // removal.
    account_imports_summary: `${ofSupplier}, latest_failure_code, claim_expires_at, payload_removed_at, account_created_at`,
    account_imports_runs: 'organisation, import_supplier, import_run',
    account_imports_created: 'organisation, import_supplier, created_in_run, external_account_number',
  },
}

export const allTables: readonly Table[] = [
  // Tables that an operator sets up: organisations, suppliers, teams, keys and tokens.

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
      settings LONGTEXT NOT NULL,
      revision INT NOT NULL`,
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
  // A row is a family of refresh tokens; only its latest token is valid. `secret_hash` is NULL once the family is ended.
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
  // One row for each key that wraps data keys, with a data key that it wrapped: a server that can unwrap it has the key.
  {
    name: 'encryption_keys',
    columns: `
      key_id VARCHAR(64) NOT NULL,
      data_key VARCHAR(512) NOT NULL,
      first_used_at DATETIME(3) NOT NULL`,
    primary: 'key_id',
  },

  // Imports, runs, webhooks, and the e-mails about created accounts.

  firstAccountImports,
  firstImportRuns,
  // `details` contains URL and secrets, encrypted where the database is.
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
  // Deliveries that wait, one for each webhook and event of a run.
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
  // A row is a finding of an account that was refused in a run. `ordinal` counts the findings of an account. `attr` is NULL for a
  // refusal without findings, whose `code` is that of the refusal. `line` is 0 and the number is empty where they are unknown.
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
  // At most one e-mail for each account. `due_at` is the time from which a relay may claim a waiting e-mail, or the end of the
  // lease of the relay that holds it. Relays claim by that index for all suppliers, so it does not begin with a supplier.
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

  // Additions to created accounts. An account is its staged payload, which its import has, and these items.

  // Transactions, statements, notes and payment instructions. `ordinal` counts the items of a kind; `identity` and `copy`
  // distinguish them, and `content` is JSON text.
  {
    name: 'account_items',
    columns: `
      ${importKeyColumns},
      kind VARCHAR(20) NOT NULL,
      ordinal INT NOT NULL,
      identity VARCHAR(255) NOT NULL,
      copy BIGINT,
      content LONGTEXT NOT NULL`,
    primary: `${importKey}, kind, ordinal`,
    unique: { account_items_by_identity: `${importKey}, kind, identity, copy` },
  },

  // The audit log: unsealed events, sealed ones, and the blocks that seal them.

  // Every change inserts its event here. `import_supplier` is empty for an event that concerns no supplier.
  {
    name: 'audit_unsealed',
    columns: eventColumns,
    primary: 'organisation, import_supplier, id',
  },
  // Sealing moves events here. `block` is the number of a block of the organisation.
  {
    name: 'audit_log',
    columns: `block BIGINT NOT NULL, ${eventColumns}`,
    primary: 'organisation, block, id',
    indexes: { audit_log_accounts: 'organisation, import_supplier, external_account_number, block, id' },
  },
  // The chain of an organisation. `events` is the number of events in the block.
  {
    name: 'audit_blocks',
    columns: `
      organisation VARCHAR(64) NOT NULL,
      block BIGINT NOT NULL,
      events INT NOT NULL,
      hash VARCHAR(64) NOT NULL`,
    primary: 'organisation, block',
  },

  // State that servers share: idempotency records, failed logins, and the leases of jobs.

  // One row for each idempotency key of the last day: a claim, then the stored response. Expired rows are removed for all
  // organisations, so the index does not begin with an organisation.
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
  // How often a subject failed to log in, in the window of time that begins at `begins_at`. A subject begins with its kind, such
  // as `failed:`, because health checks write into the table too; with an API key's id and a network it has up to 255 characters.
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
