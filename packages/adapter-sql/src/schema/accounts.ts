import { importKey, importKeyColumns, type Table } from './table.js'

/** The tables of created accounts: a document for each, and a row for each item that others may follow. */
export const accounts: readonly Table[] = [
  // `details` is the JSON text of everything that cannot be added later. Every addition writes `additions`, and nobody
  // reads it: a lock is known to one node of a cluster, and of two that write the same row it lets one commit.
  // A number names one account of the whole platform: the key that guards it is not an organisation's.
  {
    name: 'accounts',
    columns: `
      ${importKeyColumns},
      platform_account_number VARCHAR(32) NOT NULL,
      operations_team VARCHAR(255) NOT NULL,
      staged_version INT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      import_run VARCHAR(32),
      erased_at DATETIME(3),
      additions INT NOT NULL,
      data_key VARCHAR(512),
      details LONGTEXT NOT NULL`,
    primary: importKey,
    unique: { accounts_by_number: 'platform_account_number' },
    indexes: { accounts_by_run: 'organisation, import_supplier, import_run, external_account_number' },
  },
  // Transactions, statements, notes and payment instructions. `ordinal` counts those of a kind; `identity` and `copy`
  // tell them apart, and `content` is JSON text.
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
]
