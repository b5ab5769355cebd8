import { backoff } from '../concurrency/pause.js'
import { type Contact, type EmailRecipient, emailRecipients } from '../domain/customer-email.js'
import { E, type Either, pipe } from '../fp.js'
import type { ClaimedEmail, Delivery, DeliveryCode, EmailSettlement } from '../ports/outbox.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { ServiceSettings } from '../ports/settings.js'
import { type Instant, plusSeconds } from '../values/instant.js'
import type { UseCaseResult } from '../checking/errors.js'
import { askedTwice } from '../lists/lists.js'

/** The outcome of a claimed e-mail. `code`: the problem, if there was one. */
export type EmailOutcome = Readonly<{
  id: string
  outcome: EmailSettlement['_tag'] | 'lease_lost'
  code: string | undefined
}>

/** The work that a relay repeats: it delivers the e-mails in the outbox. Several relays may run at once. */
export type EmailUseCases = Readonly<{
  /** False where no channel to customers is set up. */
  canSend: boolean
  /** Takes up to `limit` (1 to 100) e-mails that are due, under a lease. Each must be delivered or released before it ends. */
  claimDue(limit: number): UseCaseResult<never, readonly ClaimedEmail[]>
  /** Ends at once when the signal is aborted, and releases the e-mail. */
  deliver(claimed: ClaimedEmail, signal: AbortSignal): UseCaseResult<never, EmailOutcome>
  release(claimed: ClaimedEmail): UseCaseResult<never, EmailOutcome>
}>

type EmailPorts = Pick<Ports, 'outbox' | 'customerNotifier' | 'clock' | 'settings'>

/**
 * The end of a lease that begins or is renewed at `at`. It lasts longer than the time-out of one message, so that a slow relay
 * does not lose the e-mail that it is sending.
 */
const leaseEnd = ({ settings }: Pick<Ports, 'settings'>, at: Instant): Instant =>
  plusSeconds(at, 2 * settings.emails.sendSeconds + 30)

/** The outcomes of the recipients of one e-mail, by their places in `emailRecipients`. */
type Round = Readonly<{
  /** Recipients that were sent the message, also in earlier rounds. */
  served: readonly number[]
  /** Recipients that were refused permanently in this round. */
  refused: readonly number[]
  /** The code of the last refused recipient. */
  refusal?: DeliveryCode
  /** The code of the last deferred recipient. */
  deferral?: DeliveryCode
  /** Why the channel does not work; later recipients were not tried. */
  unavailable?: DeliveryCode
}>

type Place = readonly [place: number, recipient: EmailRecipient]

/** Recipients that were not sent the message yet. */
const leftToAsk = ({ email }: ClaimedEmail, customers: readonly Contact[]): readonly Place[] =>
  [...emailRecipients(customers).entries()].filter(([place]) => !email.served.includes(place))

/** The id of the message to the recipient at this place: the same when it is sent again. */
const messageIdAt = (id: string, place: number): string => (place === 0 ? id : `${id}.${place}`)

const notified = async (
  { customerNotifier }: EmailPorts,
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
    return await customerNotifier.notify({ id: messageIdAt(id, place), ...notice }, signal)
  } catch {
    // A channel that throws breaks its contract, but the claim must end nevertheless.
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

/** Stores the served recipients before the next message is sent, so that no recipient gets the message twice. */
const renewed = (
  ports: EmailPorts,
  { email, token }: ClaimedEmail,
  { served }: Round,
): PortResult<'renewed' | 'lease_lost'> => {
  const { outbox, clock } = ports
  const renewal = { id: email.id, token, served, leaseEndsAt: leaseEnd(ports, clock.now()) }
  // A message whose sending is not stored is sent again. A second statement costs less than a second e-mail.
  return askedTwice(() => outbox.renew(renewal))
}

/**
 * Sends one message to each recipient in turn, and renews the lease in between; ends early if the channel does not work. A
 * recipient sees no address but their own.
 */
const askRecipients = async (
  ports: EmailPorts,
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

const longestRetrySeconds = 4 * 60 * 60

/** FNV-1a over the text, as a fraction from 0 to below 1. */
export const fractionOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}

/** Defers the e-mail for a time that its id varies, or parks it after the last attempt. */
const again = (
  { email: { id, attempts }, token }: ClaimedEmail,
  { maxAttempts, firstRetrySeconds }: ServiceSettings['emails'],
  failed: Readonly<{ at: Instant; code: string; served: readonly number[] }>,
): EmailSettlement => {
  const tried = attempts + 1
  if (tried >= maxAttempts) return { _tag: 'parked', id, token, ...failed }
  const wait = { first: firstRetrySeconds, longest: longestRetrySeconds }
  const dueAt = plusSeconds(failed.at, backoff(tried, wait, fractionOf(`${id}/${tried}`)))
  return { _tag: 'deferred', id, token, dueAt, ...failed }
}

/** The recipients that need no message: once one was served, refused recipients count too, as the e-mail is no failure. */
const needingNothing = ({ served, refused }: Round): readonly number[] =>
  served.length === 0 ? [] : [...served, ...refused].sort((a, b) => a - b)

/** The settlement of an e-mail by the outcomes of its recipients. */
const settlementOf = (
  claimed: ClaimedEmail,
  round: Round,
  at: Instant,
  settings: ServiceSettings['emails'],
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

const settle =
  ({ outbox }: EmailPorts) =>
  async (settlement: EmailSettlement): PortResult<EmailOutcome> =>
    pipe(
      // An e-mail whose outcome is not stored is sent again. A second statement costs less than a second e-mail.
      await askedTwice(() => outbox.settle(settlement)),
      E.map((settled) => ({
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

/** Releases a claimed e-mail without an attempt. */
const releaseEmail =
  (ports: EmailPorts): EmailUseCases['release'] =>
  (claimed) =>
    settle(ports)(released(ports, claimed))

/**
 * Sends a claimed e-mail to those recipients that do not have it yet, and ends its lease with the outcome. An e-mail whose lease
 * could end during sending is released, as another relay could send it at the same time.
 */
const deliverEmail =
  (ports: EmailPorts): EmailUseCases['deliver'] =>
  async (claimed, signal) => {
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
    const round = await askRecipients(ports, claimed, places, signal)
    if (E.isLeft(round)) return round
    return round.right === 'lease_lost'
      ? E.right({ id: email.id, outcome: round.right, code: undefined })
      : settle(ports)(settlementOf(claimed, round.right, ports.clock.now(), emails))
  }

/** The use cases of a relay of e-mails, on the given ports. */
export const makeEmailUseCases = (
  ports: Pick<Ports, 'outbox' | 'customerNotifier' | 'clock' | 'secrets' | 'settings'>,
): EmailUseCases => ({
  canSend: ports.customerNotifier.canSend,
  claimDue: (limit) => {
    const at = ports.clock.now()
    const token = ports.secrets.generate()
    return ports.outbox.claimDue({ token, at, leaseEndsAt: leaseEnd(ports, at), limit })
  },
  deliver: deliverEmail(ports),
  release: releaseEmail(ports),
})
