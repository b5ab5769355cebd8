import { emailRetryDelay } from '../../domain/email-retry-delay.js'
import type { Delivery } from '../../ports/customer-notifier.js'
import type { ClaimedEmail, EmailSettlement } from '../../ports/outbox.js'
import type { EmailSettings } from '../../ports/settings.js'
import { plusSeconds, type Instant } from '../../values/instant.js'

/** Another try later, or parked after the last one. */
const again = (
  { email: { id, attempts }, token }: ClaimedEmail,
  { maxAttempts, firstRetrySeconds }: EmailSettings,
  failed: Readonly<{ at: Instant; code: string; served: readonly number[] }>,
): EmailSettlement => {
  const tried = attempts + 1
  if (tried >= maxAttempts) return { _tag: 'parked', id, token, ...failed }
  const dueAt = plusSeconds(failed.at, emailRetryDelay(id, tried, firstRetrySeconds))
  return { _tag: 'deferred', id, token, dueAt, ...failed }
}

/**
 * How a delivery to the recipients at the given indexes ends the claim of the e-mail. A recipient that was refused for
 * good counts as served, so that it is not tried again.
 */
export const settlementOf = (
  claimed: ClaimedEmail,
  asked: readonly number[],
  delivery: Delivery,
  at: Instant,
  settings: EmailSettings,
): EmailSettlement => {
  const { email, token } = claimed
  const ended = { id: email.id, token, at }
  switch (delivery._tag) {
    case 'accepted': {
      const served = asked.filter((_, index) => !delivery.deferred.includes(index))
      if (served.length < asked.length) {
        const all = [...email.served, ...served].sort((a, b) => a - b)
        return again(claimed, settings, { at, code: 'recipient_deferred', served: all })
      }
      return { _tag: 'sent', ...ended, ...(delivery.refused.length > 0 && { code: 'recipient_refused' }) }
    }
    case 'deferred':
      return again(claimed, settings, { at, code: delivery.code, served: email.served })
    case 'refused':
      return { _tag: 'parked', ...ended, code: delivery.code, served: email.served }
    case 'unavailable':
      return { _tag: 'released', ...ended, code: delivery.code }
  }
}
