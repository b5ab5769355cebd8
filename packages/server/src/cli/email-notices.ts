import type { ImportSupplier } from '@account-import/core'
import type { ServerConfig } from '../config/server-config.js'
import { typed } from '../program-name.js'

/** What an operator should know who has just configured e-mails of a supplier; empty while they are off. */
export const emailNotices = (
  { settings }: ImportSupplier,
  { mail, mailTemplates }: ServerConfig,
): readonly string[] => {
  if (!settings.migrationEmails) return []
  const language = settings.emailLanguage
  return [
    ...(mail === undefined
      ? [
          'Note: SMTP_URL is not set here. E-mails of accounts created from now on are kept, and sent as soon as a' +
            ` server runs with SMTP_URL and MAIL_FROM. To see them: ${typed('outbox list --state waiting')}`,
        ]
      : []),
    ...(language !== undefined && !mailTemplates.has(language)
      ? [
          `Note: there is no template for the language ${language} here (there is ${[...mailTemplates.keys()].join(', ')});` +
            ' such e-mails are in English. Add a folder of that name to MAIL_TEMPLATES.',
        ]
      : []),
  ]
}
