export { parseMailSender, type SmtpCustomerNotifier, smtpCustomerNotifier } from './smtp-customer-notifier.js'
export { type MailSender, type SmtpCustomerNotifierOptions, type SmtpServer } from './smtp-sending.js'
export {
  bundledTemplates,
  type EmailTemplate,
  type EmailTemplates,
  type EmailTexts,
  readTemplates,
  type TemplateValues,
} from './templates/templates.js'
