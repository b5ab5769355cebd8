import { emailRecipients } from '../../domain/email-recipients.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import type { Delivery } from '../../ports/customer-notifier.js'
import type { Ports } from '../../ports/index.js'
import type { ClaimedEmail, EmailSettlement } from '../../ports/outbox.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { plusSeconds } from '../../values/instant.js'
import type { EmailOutcome, EmailUseCases } from '../signatures.js'
import { settlementOf } from './settlement-of.js'

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

const send = (
  { customerNotifier }: EmailPorts,
  { email, customers }: ClaimedEmail,
  asked: readonly number[],
  signal: AbortSignal,
): TaskEither<never, Delivery> => {
  const recipients = emailRecipients(customers).filter((_, index) => asked.includes(index))
  const { id, language, key, platformAccountNumber, enqueuedAt } = email
  const { importSupplier, externalAccountNumber } = key
  return pipe(
    TE.tryCatch(
      () =>
        customerNotifier.notify(
          {
            id,
            language,
            recipients,
            importSupplier,
            externalAccountNumber,
            platformAccountNumber,
            createdAt: enqueuedAt,
          },
          signal,
        )(),
      // A channel that throws breaks its promise, but the claim must end all the same.
      (): Delivery => ({ _tag: 'deferred', code: 'unexpected' }),
    ),
    TE.orElse((delivery) => TE.right(delivery)),
  )
}

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
    const asked = emailRecipients(customers)
      .map((_, index) => index)
      .filter((index) => !email.served.includes(index))
    if (asked.length === 0) {
      const ended = { id: email.id, token, at, code: 'no_recipient', served: email.served }
      return settle(ports)(
        email.served.length > 0 ? { ...ended, _tag: 'sent' } : { ...ended, _tag: 'parked' },
      )
    }
    if (plusSeconds(at, emails.sendSeconds) > leaseEndsAt) return releaseEmail(ports)(claimed)
    return pipe(
      send(ports, claimed, asked, signal),
      TE.flatMap((delivery) =>
        settle(ports)(settlementOf(claimed, asked, delivery, ports.clock.now(), emails)),
      ),
    )
  }
