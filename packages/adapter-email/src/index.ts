export { parseMailSender, type SmtpCustomerNotifier, smtpCustomerNotifier } from './smtp-customer-notifier.js'
export { type MailSender, type SmtpCustomerNotifierOptions, type SmtpServer } from './smtp-sending.js'
export { bundledTemplates, type EmailTemplates } from './templates/bundled-templates.js'
export {
  type EmailTemplate,
  type EmailTexts,
  type TemplateValue,
  type TemplateValues,
} from './templates/email-template.js'
export { readTemplates, type TemplateFaults } from './templates/read-templates.js'
