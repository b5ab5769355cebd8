import { firstAccountImports, firstImportRuns, importKey, importKeyColumns, type Table } from './tables.js'

/**
 * Failures of runs that are open, by number; of a line without a readable number by `unread_line`, its run and its number in the
 * source. `staged_version` and `is_created` are of the import when the failure was recorded: the failure is open as long as the
 * import is as it was, so that no statement that stages or creates has to end it.
 */
export const openFailures: Table = {
  name: 'open_failures',
  columns: `
    ${importKeyColumns},
    unread_line VARCHAR(64) NOT NULL,
    import_run VARCHAR(32) NOT NULL,
    step VARCHAR(8) NOT NULL,
    line BIGINT NOT NULL,
    code VARCHAR(128) NOT NULL,
    failed_at DATETIME(3) NOT NULL,
    staged_version INT NOT NULL,
    is_created BOOLEAN NOT NULL`,
  primary: `${importKey}, unread_line`,
}

/** Servers of the first tables leave it out of their rows. */
export const sourceAccounts = 'source_accounts INT'

export const importRuns: Table = {
  ...firstImportRuns,
  columns: `${firstImportRuns.columns}, ${sourceAccounts}`,
}

/**
 * `unsealed` has a line for each audit event of the import that is not sealed yet, and `unsealed_since` is the time of the first. Servers
 * of earlier tables leave them as they are, and write their events into `audit_unsealed`. `warned` has the warnings about data that was
 * found valid with some, the rules by which it was, and the staging that found them: they are those of the row only if its `staging_id`
 * is the same, as servers of earlier tables leave it as it is. Rows of encrypted data have none.
 */
export const statementColumns = [
  'unsealed LONGTEXT',
  'unsealed_since DATETIME(3)',
  'warned LONGTEXT',
] as const

/** Sealing finds by it what waits, of all suppliers, so it does not begin with a supplier. */
export const unsealedIndex = {
  account_imports_unsealed: 'unsealed_since, organisation, import_supplier, external_account_number',
}

export const accountImports: Table = {
  ...firstAccountImports,
  columns: [firstAccountImports.columns, ...statementColumns].join(', '),
  indexes: { ...firstAccountImports.indexes, ...unsealedIndex },
}
