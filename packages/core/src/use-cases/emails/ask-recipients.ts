import {
  type Contact,
  type EmailRecipient,
  emailRecipients,
  messageIdAt,
} from '../../domain/customer-email.js'
import { E, type Either } from '../../fp.js'
import type { Delivery, DeliveryCode } from '../../ports/customer-notifier.js'
import type { Ports } from '../../ports/index.js'
import type { ClaimedEmail } from '../../ports/outbox.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { type Instant, plusSeconds } from '../../values/instant.js'

/**
 * When a lease that begins or is renewed at this moment ends. It lasts longer than sending one message may take, so that a
 * slow relay does not lose the e-mail that it is sending.
 */
export const leaseEnd = ({ settings }: Pick<Ports, 'settings'>, at: Instant): Instant =>
  plusSeconds(at, 2 * settings.emails.sendSeconds + 30)

/** What came of the recipients of one e-mail, by their places in `emailRecipients`. */
export type Round = Readonly<{
  /** Those that have theirs, from earlier rounds too. */
  served: readonly number[]
  /** Those that were refused for good in this round. */
  refused: readonly number[]
  /** Why one was refused. */
  refusal?: DeliveryCode
  /** Why one was put off. */
  deferral?: DeliveryCode
  /** Why the channel does not work; those that come after were not asked. */
  unavailable?: DeliveryCode
}>

type AskPorts = Pick<Ports, 'outbox' | 'customerNotifier' | 'clock' | 'settings'>

type Place = readonly [place: number, recipient: EmailRecipient]

/** Those who do not have theirs yet. */
export const leftToAsk = ({ email }: ClaimedEmail, customers: readonly Contact[]): readonly Place[] =>
  [...emailRecipients(customers).entries()].filter(([place]) => !email.served.includes(place))

const notified = async (
  { customerNotifier }: AskPorts,
  { email }: ClaimedEmail,
  [place, recipient]: Place,
  signal: AbortSignal,
): Promise<Delivery> => {
  const { id, language, key, platformAccountNumber, enqueuedAt: createdAt } = email
  const { importSupplier, externalAccountNumber } = key
  const notice = {
    language,
    recipient,
    importSupplier,
    externalAccountNumber,
    platformAccountNumber,
    createdAt,
  }
  try {
    return await customerNotifier.notify({ id: messageIdAt(id, place), ...notice }, signal)()
  } catch {
    // A channel that throws breaks its promise, but the claim must end all the same.
    return { _tag: 'deferred', code: 'unexpected' }
  }
}

const afterAnswer = (round: Round, place: number, delivery: Delivery): Round => {
  switch (delivery._tag) {
    case 'accepted':
      return { ...round, served: [...round.served, place].sort((a, b) => a - b) }
    case 'refused':
      return { ...round, refused: [...round.refused, place], refusal: delivery.code }
    case 'deferred':
      return { ...round, deferral: delivery.code }
    case 'unavailable':
      return { ...round, unavailable: delivery.code }
  }
}

/** Keeps whom the e-mail has reached before the next one is asked, so that nobody who has theirs is asked again. */
const renewed = async (
  ports: AskPorts,
  { email, token }: ClaimedEmail,
  { served }: Round,
): Promise<Either<PortFailure, 'renewed' | 'lease_lost'>> => {
  const { outbox, clock } = ports
  const renewal = { id: email.id, token, served, leaseEndsAt: leaseEnd(ports, clock.now()) }
  const outcome = await outbox.renew(renewal)()
  // What is not on record is sent again. Recording once more costs less than a second e-mail.
  return E.isLeft(outcome) ? outbox.renew(renewal)() : outcome
}

/**
 * Sends one message to each, one after the other, and renews the claim in between; ends early where the channel does not
 * work. Who gets a message sees no address but their own.
 */
export const askRecipients = async (
  ports: AskPorts,
  claimed: ClaimedEmail,
  places: readonly Place[],
  signal: AbortSignal,
): Promise<Either<PortFailure, Round | 'lease_lost'>> => {
  let round: Round = { served: claimed.email.served, refused: [] }
  for (const [index, each] of places.entries()) {
    if (index > 0) {
      const outcome = await renewed(ports, claimed, round)
      if (E.isLeft(outcome)) return outcome
      if (outcome.right === 'lease_lost') return E.right('lease_lost')
    }
    round = afterAnswer(round, each[0], await notified(ports, claimed, each, signal))
    if (round.unavailable !== undefined) break
  }
  return E.right(round)
}
