import type { CustomerNotifier, Delivery, MigrationNotice } from '@account-import/core'
import { isEmail } from '@account-import/core/adapter-kit'
import type { MailSender, SmtpCustomerNotifierOptions, smtpSending } from './smtp-sending.js'

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const form = /^(?:"?([^"<>\u0000-\u001f\u007f]*?)"? *<([^<>]+)>|([^<>\s]+))$/

/** Reads `Name <address>` or an address; `undefined` for any other text, or an invalid address. */
export const parseMailSender = (text: string): MailSender | undefined => {
  const [, name = '', bracketed, alone] = form.exec(text.trim()) ?? []
  const address = bracketed ?? alone
  return address !== undefined && isEmail(address) ? { name: name.trim(), address } : undefined
}

/** The notifier, and the end of its idle connections. */
export type SmtpCustomerNotifier = CustomerNotifier & Readonly<{ close(): void }>

/** The outcome of an e-mail that the caller stopped, or that took too long; it may have been sent or not. */
const endedBy = (stop: AbortSignal, late: AbortSignal, delivery: Delivery): Delivery => {
  if (delivery._tag === 'accepted') return delivery
  if (stop.aborted) return { _tag: 'unavailable', code: 'stopped' }
  return late.aborted && delivery._tag !== 'refused' ? { _tag: delivery._tag, code: 'timed_out' } : delivery
}

/**
 * Sends notices to an SMTP server, in the language of each. Connections are kept for a few seconds and used again. Invalid
 * addresses are never sent to the server.
 */
export const smtpCustomerNotifier = (options: SmtpCustomerNotifierOptions): SmtpCustomerNotifier => {
  let sending: Promise<ReturnType<typeof smtpSending>> | undefined
  const notify = async (notice: MigrationNotice, stop: AbortSignal): Promise<Delivery> => {
    if (stop.aborted) return { _tag: 'unavailable', code: 'stopped' }
    if (!isEmail(notice.recipient.address)) return { _tag: 'refused', code: 'recipient_refused' }
    try {
      sending ??= import('./smtp-sending.js').then((loaded) => loaded.smtpSending(options))
      const { send } = await sending
      const late = AbortSignal.timeout(options.milliseconds)
      return endedBy(stop, late, await send(notice, AbortSignal.any([stop, late])))
    } catch {
      return { _tag: 'deferred', code: 'unexpected' }
    }
  }
  return {
    canSend: true,
    notify,
    close: () => void sending?.then(({ close }) => close()),
  }
}
