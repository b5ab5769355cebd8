import type { BackgroundObserver, Chore } from '@account-import/core/background'
import type { Log } from './log-events.js'

/** Event and message of each chore that failed. */
const failures = {
  api_key_uses: ['key_uses', 'left undone; it is tried again'],
  audit: ['audit', 'what was recorded is not sealed; it is tried again'],
  emails: ['email_store', 'the outbox of e-mails failed; it is tried again'],
  kept_answers: ['kept_answers', 'left undone; it is tried again'],
  rate_limits: ['rate_limits', 'left undone; it is tried again'],
  staged_data: ['staged_data', 'left undone; it is tried again'],
} as const satisfies Readonly<Record<Chore, readonly [event: string, message: string]>>

/** Writes what becomes of background work. E-mails are named by id and code alone: neither holds anything of a customer. */
export const backgroundLog = (log: Log): BackgroundObserver => ({
  onEmail: ({ id, outcome, code }) => {
    const entry = { event: 'email' as const, id, outcome, ...(code !== undefined && { code }) }
    if (code === undefined) log.debug(entry, 'e-mail to customers')
    else log.warn(entry, 'e-mail to customers')
  },
  onFailure: ({ chore, failure: { kind, operation } }) => {
    const [event, message] = failures[chore]
    log.warn({ event, kind, operation }, message)
  },
  onStagedDataRemoved: (accounts) =>
    log.info({ event: 'staged_data_removed', accounts }, 'staged data was due'),
})
