import type { MigrationNotice } from '@account-import/core'
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
  name: notice.recipient.name ?? '',
  platform_account_number: notice.platformAccountNumber,
  external_account_number: notice.externalAccountNumber,
  import_supplier: notice.importSupplier,
  created_on: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(
    new Date(notice.createdAt),
  ),
  sender: from.name === '' ? from.address : from.name,
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
