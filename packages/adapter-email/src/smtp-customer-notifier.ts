import { isEmail, type CustomerNotifier, type Delivery, type MigrationNotice } from '@account-import/core'
import { compose, type ComposeOptions } from './compose.js'
import { asciiAddress, type MailSender } from './mail-sender.js'
import { closedBy } from './smtp/closed-by.js'
import { createSessionPool, type SessionPool } from './smtp/session-pool.js'
import { connectionFault, messageFault, type SmtpError } from './smtp/smtp-fault.js'
import type { SmtpServer } from './smtp/smtp-server.js'
import { openSmtpSession, type Accepted } from './smtp/smtp-session.js'
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

/** What the server's word on each address means for the places in the list of recipients. */
const deliveryOf = (addresses: readonly string[], { rejected }: Accepted): Delivery => {
  const places = (permanent: boolean): readonly number[] =>
    addresses.flatMap((address, place) =>
      rejected.some((each) => each.address === address && each.permanent === permanent) ? [place] : [],
    )
  return { _tag: 'accepted', deferred: places(false), refused: places(true) }
}

const sendOn = async (
  pool: SessionPool,
  envelope: Readonly<{ from: string; to: readonly string[] }>,
  message: Buffer,
  signal: AbortSignal,
): Promise<Delivery> => {
  let pooled
  try {
    pooled = await pool.take(signal)
  } catch (cause) {
    return connectionFault(cause as SmtpError)
  }
  const { session } = pooled
  try {
    const accepted = await closedBy(signal, session.close, () => session.send(envelope, message))
    pool.giveBack(pooled)
    return deliveryOf(envelope.to, accepted)
  } catch (cause) {
    session.close()
    return messageFault(cause as SmtpError)
  }
}

/** Whoever stops it says so; what takes too long without that is too slow, and may have begun to be sent or not. */
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
  const pool = createSessionPool((signal) => openSmtpSession(server, milliseconds, signal))
  const notify = async (notice: MigrationNotice, stop: AbortSignal): Promise<Delivery> => {
    if (stop.aborted) return { _tag: 'unavailable', code: 'stopped' }
    if (!notice.recipients.every(({ address }) => isEmail(address)))
      return { _tag: 'refused', code: 'recipient_refused' }
    const late = AbortSignal.timeout(milliseconds)
    try {
      const message = await compose(notice, composing)
      const to = notice.recipients.map(({ address }) => asciiAddress(address))
      const envelope = { from: asciiAddress(from.address), to }
      return endedBy(stop, late, await sendOn(pool, envelope, message, AbortSignal.any([stop, late])))
    } catch {
      return { _tag: 'deferred', code: 'unexpected' }
    }
  }
  return { canSend: true, notify: (notice, signal) => () => notify(notice, signal), close: pool.close }
}
