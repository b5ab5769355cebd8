import type { ImportSupplier, SupplierSettings } from '@account-import/core'
import { properties } from './table.js'

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

const listed = (entries: readonly string[]): string => (entries.length === 0 ? 'none' : entries.join(', '))

const settingsText = (settings: SupplierSettings): Readonly<Record<string, string>> => ({
  'document root': settings.documentRoot === '' ? '(the bucket itself)' : settings.documentRoot,
  'migration e-mails': settings.migrationEmails ? 'on' : 'off',
  'e-mail language': settings.emailLanguage ?? "auto (by the account's country)",
  'retention days': settings.retentionDays === undefined ? 'off' : String(settings.retentionDays),
  severities: listed(Object.entries(settings.severities).map(([code, severity]) => `${code}=${severity}`)),
  'closed lists': listed(
    Object.entries(settings.closedLists).map(
      ([name, { members, severity }]) => `${name}=${members.join(',')}:${severity}`,
    ),
  ),
  'internal e-mail domains': listed(settings.internalEmailDomains),
  markets: listed(settings.markets),
})

/** An import supplier with all its settings, for people. */
export const supplierText = ({ code, organisation, status, settings }: ImportSupplier): string =>
  properties({ code, organisation, status, ...settingsText(settings) })
