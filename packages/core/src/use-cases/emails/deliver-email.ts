import { emailRetryDelay } from '../../domain/customer-email.js'
import { pipe, type TaskEither, TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { ClaimedEmail, EmailSettlement } from '../../ports/outbox.js'
import type { PortFailure } from '../../ports/port-failure.js'
import type { EmailSettings } from '../../ports/settings.js'
import { type Instant, plusSeconds } from '../../values/instant.js'
import type { EmailOutcome, EmailUseCases } from '../signatures.js'
import { askRecipients, leftToAsk, type Round } from './ask-recipients.js'

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

/** Once somebody has theirs, who was refused for good is not asked again: the e-mail as a whole is no failure. */
const needingNothing = ({ served, refused }: Round): readonly number[] =>
  served.length === 0 ? [] : [...served, ...refused].sort((a, b) => a - b)

/** How what came of the recipients ends the claim of the e-mail. */
const settlementOf = (
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

type EmailPorts = Pick<Ports, 'outbox' | 'customerNotifier' | 'clock' | 'settings'>

const settle =
  ({ outbox }: EmailPorts) =>
  (settlement: EmailSettlement): TaskEither<PortFailure, EmailOutcome> =>
    pipe(
      outbox.settle(settlement),
      // An e-mail whose outcome is not recorded is sent again. Recording once more costs less than a second e-mail.
      TE.orElse(() => outbox.settle(settlement)),
      TE.map((settled) => ({
        id: settlement.id,
        outcome: settled === 'settled' ? settlement._tag : settled,
        code: settlement.code,
      })),
    )

const released = ({ clock }: EmailPorts, { email, token }: ClaimedEmail): EmailSettlement => ({
  _tag: 'released',
  id: email.id,
  token,
  at: clock.now(),
})

/** Gives a claimed e-mail back untried. */
export const releaseEmail =
  (ports: EmailPorts): EmailUseCases['release'] =>
  (claimed) =>
    settle(ports)(released(ports, claimed))

/**
 * Sends a claimed e-mail to those recipients that do not have it yet, and ends its claim with the outcome. An e-mail
 * whose lease could end while it is being sent is not sent: another relay may send it by then.
 */
export const deliverEmail =
  (ports: EmailPorts): EmailUseCases['deliver'] =>
  (claimed, signal) => {
    const { email, token, leaseEndsAt, customers } = claimed
    const { emails } = ports.settings
    const at = ports.clock.now()
    if (customers === 'unreadable') {
      const failed = { at, code: 'contacts_unreadable', served: email.served }
      return settle(ports)(again(claimed, emails, failed))
    }
    const places = leftToAsk(claimed, customers)
    if (places.length === 0) {
      const ended = { id: email.id, token, at, code: 'no_recipient', served: email.served }
      return settle(ports)(
        email.served.length > 0 ? { ...ended, _tag: 'sent' } : { ...ended, _tag: 'parked' },
      )
    }
    if (plusSeconds(at, emails.sendSeconds) > leaseEndsAt) return releaseEmail(ports)(claimed)
    return pipe(
      () => askRecipients(ports, claimed, places, signal),
      TE.flatMap((round) =>
        round === 'lease_lost'
          ? TE.right<PortFailure, EmailOutcome>({ id: email.id, outcome: round, code: undefined })
          : settle(ports)(settlementOf(claimed, round, ports.clock.now(), emails)),
      ),
    )
  }
