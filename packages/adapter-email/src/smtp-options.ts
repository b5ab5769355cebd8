import type { MailSender } from './mail-sender.js'
import type { SmtpServer } from './smtp/smtp-server.js'
import type { EmailTemplates } from './templates/bundled-templates.js'

export type SmtpCustomerNotifierOptions = Readonly<{
  server: SmtpServer
  from: MailSender
  /** The bundled ones when absent. */
  templates?: EmailTemplates
  /** IANA name: which day an account was created on. */
  timeZone: string
  /** What one e-mail may take altogether. */
  milliseconds: number
}>
