import type { CustomerNotifier, Delivery, MigrationNotice } from '@account-import/core'
import { isEmail } from '@account-import/core/adapter-kit'
import { compose, type ComposeOptions } from './compose.js'
import { asciiAddress, type MailSender } from './mail-sender.js'
import { smtpConnections } from './smtp/smtp-connections.js'
import type { SmtpServer } from './smtp/smtp-server.js'
import { bundledTemplates, type EmailTemplates } from './templates/bundled-templates.js'

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

/** The notifier, and the end of its idle connections. */
export type SmtpCustomerNotifier = CustomerNotifier & Readonly<{ close(): void }>

/** The outcome of an e-mail that was stopped by the caller, or took too long; it may have been sent or not. */
const endedBy = (stop: AbortSignal, late: AbortSignal, delivery: Delivery): Delivery => {
  if (delivery._tag === 'accepted') return delivery
  if (stop.aborted) return { _tag: 'unavailable', code: 'stopped' }
  return late.aborted && delivery._tag !== 'refused' ? { _tag: delivery._tag, code: 'timed_out' } : delivery
}

/**
 * Hands notices over to an SMTP server, in the language of each. Connections are kept for a few seconds and used
 * again. An address that is none never reaches the server.
 */
export const smtpCustomerNotifier = (options: SmtpCustomerNotifierOptions): SmtpCustomerNotifier => {
  const { server, from, timeZone, milliseconds, templates = bundledTemplates } = options
  const composing: ComposeOptions = { from, timeZone, templates }
  const connections = smtpConnections(server, milliseconds)
  const notify = async (notice: MigrationNotice, stop: AbortSignal): Promise<Delivery> => {
    if (stop.aborted) return { _tag: 'unavailable', code: 'stopped' }
    if (!notice.recipients.every(({ address }) => isEmail(address)))
      return { _tag: 'refused', code: 'recipient_refused' }
    const late = AbortSignal.timeout(milliseconds)
    try {
      const to = notice.recipients.map(({ address }) => asciiAddress(address))
      const envelope = { from: asciiAddress(from.address), to }
      const ended = AbortSignal.any([stop, late])
      return endedBy(stop, late, await connections.send(envelope, compose(notice, composing), ended))
    } catch {
      return { _tag: 'deferred', code: 'unexpected' }
    }
  }
  return { canSend: true, notify: (notice, signal) => () => notify(notice, signal), close: connections.close }
}
