import type { Logger } from 'pino'
import type { RelayObserver } from '../emails/deliveries.js'

/** Writes what becomes of e-mails, by id and code alone: neither holds anything of a customer. */
export const emailLog = (log: Logger): RelayObserver => ({
  onOutcome: ({ id, outcome, code }) => {
    const entry = { event: 'email', id, outcome, ...(code !== undefined && { code }) }
    if (code === undefined) log.debug(entry, 'e-mail to customers')
    else log.warn(entry, 'e-mail to customers')
  },
  onStoreFailure: ({ kind, operation }) =>
    log.warn({ event: 'email_store', kind, operation }, 'the outbox of e-mails failed; it is tried again'),
})
