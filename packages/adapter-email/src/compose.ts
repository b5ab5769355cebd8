import type { MigrationNotice } from '@account-import/core'
import MailComposer from 'nodemailer/lib/mail-composer'
import { asciiAddress, messageIdOf, type MailSender } from './mail-sender.js'
import { bundledTemplates, fallbackLanguage, type EmailTemplates } from './templates/bundled-templates.js'
import type { TemplateValues } from './templates/template.js'

export type ComposeOptions = Readonly<{ from: MailSender; templates: EmailTemplates; timeZone: string }>

/** The name of the one recipient; several are greeted without names. */
const nameOf = ({ recipients }: MigrationNotice): string =>
  recipients.length === 1 ? (recipients[0]?.name ?? '') : ''

const valuesOf = (notice: MigrationNotice, language: string, options: ComposeOptions): TemplateValues => ({
  name: nameOf(notice),
  platform_account_number: notice.platformAccountNumber,
  external_account_number: notice.externalAccountNumber,
  import_supplier: notice.importSupplier,
  created_on: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: options.timeZone }).format(
    new Date(notice.createdAt),
  ),
  sender: options.from.name === '' ? options.from.address : options.from.name,
})

/** The whole message as bytes, in the notice's language or, without a template for it, in English. */
export const compose = (notice: MigrationNotice, options: ComposeOptions): Promise<Buffer> => {
  const language = options.templates.has(notice.language) ? notice.language : fallbackLanguage
  const template = options.templates.get(language) ?? bundledTemplates.get(fallbackLanguage)
  if (template === undefined) return Promise.reject(new Error('there is no template'))
  const { from } = options
  return new MailComposer({
    from: { name: from.name, address: asciiAddress(from.address) },
    to: notice.recipients.map(({ address }) => ({ name: '', address: asciiAddress(address) })),
    messageId: messageIdOf(notice.id, from),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    ...template(valuesOf(notice, language, options)),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}
