export { parseMailSender, type SmtpCustomerNotifier, smtpCustomerNotifier } from './smtp-customer-notifier.js'
export { type MailSender, type SmtpCustomerNotifierOptions, type SmtpServer } from './smtp-sending.js'
export { bundledTemplates, type EmailTemplates, readTemplates } from './templates/templates.js'
export { type EmailTemplate, type EmailTexts, type TemplateValues } from './templates/email-template.js'
