import type { MigrationNotice } from '@account-import/core'
import { safeForMail } from '@account-import/core/adapter-kit'
import MailComposer from 'nodemailer/lib/mail-composer'
import type MimeNode from 'nodemailer/lib/mime-node'
import { asciiAddress, messageIdOf, type MailSender } from './mail-sender.js'
import { templateFor, type EmailTemplates } from './templates/bundled-templates.js'
import type { TemplateValues } from './templates/template.js'

export type ComposeOptions = Readonly<{ from: MailSender; templates: EmailTemplates; timeZone: string }>

const valuesOf = (
  notice: MigrationNotice,
  language: string,
  { from, timeZone }: Omit<ComposeOptions, 'templates'>,
): TemplateValues => ({
  name: notice.recipient.name,
  platform_account_number: safeForMail(notice.platformAccountNumber),
  external_account_number: safeForMail(notice.externalAccountNumber),
  import_supplier: safeForMail(notice.importSupplier),
  created_on: safeForMail(
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(notice.createdAt)),
  ),
  sender: safeForMail(from.name),
})

/** The whole message, in the notice's language or, without a template for it, in English. */
export const compose = (notice: MigrationNotice, { templates, ...options }: ComposeOptions): MimeNode => {
  const { from } = options
  const { language, fill } = templateFor(templates, notice.language)
  return new MailComposer({
    from: { name: from.name, address: asciiAddress(from.address) },
    to: { name: '', address: asciiAddress(notice.recipient.address) },
    messageId: messageIdOf(notice.id, from),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    ...fill(valuesOf(notice, language, options)),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
}
