import type { ImportSupplier } from '@account-import/core'

/** An import supplier as `--json` shows it. */
export const supplierJson = ({ organisation, code, status, settings }: ImportSupplier) => ({
  code,
  organisation,
  status,
  settings: {
    document_root: settings.documentRoot,
    migration_emails: settings.migrationEmails,
    email_language: settings.emailLanguage ?? null,
    retention_days: settings.retentionDays ?? null,
    severities: settings.severities,
    closed_lists: settings.closedLists,
    internal_email_domains: settings.internalEmailDomains,
    markets: settings.markets,
  },
})
