import { emailRetryDelay } from '../../domain/email-retry-delay.js'
import type { ClaimedEmail, EmailSettlement } from '../../ports/outbox.js'
import type { EmailSettings } from '../../ports/settings.js'
import { plusSeconds, type Instant } from '../../values/instant.js'
import type { Round } from './ask-recipients.js'

/** Another try later, or parked after the last one. */
export const again = (
  { email: { id, attempts }, token }: ClaimedEmail,
  { maxAttempts, firstRetrySeconds }: EmailSettings,
  failed: Readonly<{ at: Instant; code: string; served: readonly number[] }>,
): EmailSettlement => {
  const tried = attempts + 1
  if (tried >= maxAttempts) return { _tag: 'parked', id, token, ...failed }
  const dueAt = plusSeconds(failed.at, emailRetryDelay(id, tried, firstRetrySeconds))
  return { _tag: 'deferred', id, token, dueAt, ...failed }
}

/** Once somebody has theirs, who was refused for good is not asked again: the e-mail as a whole is no failure. */
const needingNothing = ({ served, refused }: Round): readonly number[] =>
  served.length === 0 ? [] : [...served, ...refused].sort((a, b) => a - b)

/** How what came of the recipients ends the claim of the e-mail. */
export const settlementOf = (
  claimed: ClaimedEmail,
  round: Round,
  at: Instant,
  settings: EmailSettings,
): EmailSettlement => {
  const { email, token } = claimed
  const ended = { id: email.id, token, at }
  const { served, unavailable, deferral, refusal } = round
  if (unavailable !== undefined) return { _tag: 'released', ...ended, code: unavailable }
  if (deferral !== undefined)
    return again(claimed, settings, { at, code: deferral, served: needingNothing(round) })
  if (refusal === undefined) return { _tag: 'sent', ...ended }
  return served.length > 0
    ? { _tag: 'sent', ...ended, code: refusal }
    : { _tag: 'parked', ...ended, code: refusal, served }
}
