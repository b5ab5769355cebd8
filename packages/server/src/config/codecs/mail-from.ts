import { parseMailSender, type MailSender } from '@account-import/adapter-email'
import { notAcceptable, textCodec } from './text-codec.js'

/** Who e-mails are from. */
export const mailFrom = textCodec<MailSender>(
  'mailFrom',
  (text) => parseMailSender(text) ?? notAcceptable('must be an e-mail address, or Name <address>'),
)
