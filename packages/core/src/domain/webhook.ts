import { type Instant, millisecondsOf, plusSeconds } from '../values/instant.js'
import type { FailedAttempt } from './account-import.js'
import { type ImportRun, interruptedAfterSeconds, type RunState } from './import-run.js'

/** The events of webhooks. */
export const webhookEvents = ['run.started', 'run.stalled', 'run.interrupted', 'run.finished'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** `whsec_` and the base64 of 32 bytes. The previous secret signs too until `endsAt`. */
export type WebhookSecrets = Readonly<{
  current: string
  previous: Readonly<{ secret: string; endsAt: Instant }> | undefined
}>

/** An address of an organisation that gets the events of its import runs. */
export type Webhook = Readonly<{
  /** Letters and digits, 16 of them. */
  id: string
  organisation: string
  /** It may contain a secret, so no log shows it. */
  url: string
  /** At least one, each once. */
  events: readonly WebhookEvent[]
  secrets: WebhookSecrets
  createdAt: Instant
  /** The time since which nothing is sent, as the receiver answered 410, or each attempt of five days failed. */
  disabledAt: Instant | undefined
  latestDeliveryAt: Instant | undefined
  latestFailure: FailedAttempt | undefined
  /**
   * The time since which each attempt failed, or of the first one after a day without an attempt (`unknownAfterSeconds`); undefined
   * if the latest attempt did not fail.
   */
  failingSince: Instant | undefined
}>

/** A pending event of one webhook. */
export type WebhookDelivery = Readonly<{
  webhook: string
  /**
   * The header `webhook-id` of each attempt: letters, digits and `_`. The same for all attempts, so that a receiver can
   * deduplicate.
   */
  id: string
  event: WebhookEvent
  importRun: string
  occurredAt: Instant
  dueAt: Instant
  /** Attempts that failed. */
  attempts: number
}>

/** The state of a run after an event. */
export const stateAfter: Readonly<Record<WebhookEvent, RunState>> = {
  'run.started': 'running',
  'run.stalled': 'running',
  'run.interrupted': 'interrupted',
  'run.finished': 'finished',
}

/** Longer than any pause between two attempts: after so many seconds without one, the state of the receiver is unknown. */
export const unknownAfterSeconds = 86_400

type Occurrence = Pick<WebhookDelivery, 'id' | 'occurredAt'>

/**
 * The standstill of an unfinished run whose latest request, or latest progress, is older than `before`: its event, and its beginning;
 * undefined if neither is.
 */
export const standstillOf = (
  { finishedAt, latestRequestAt, latestProgressAt }: ImportRun,
  before: Instant,
): Readonly<{ event: 'run.interrupted' | 'run.stalled'; since: Instant }> | undefined => {
  if (finishedAt !== undefined) return undefined
  if (latestRequestAt < before) return { event: 'run.interrupted', since: latestRequestAt }
  return latestProgressAt < before ? { event: 'run.stalled', since: latestProgressAt } : undefined
}

/** A run may have several standstills: ids of their events contain their beginning. */
const occurrenceOf = (run: ImportRun, event: WebhookEvent): Occurrence => {
  const id = `msg_${run.id}_${stateAfter[event]}`
  const standstill = (name: string, since: Instant): Occurrence => ({
    id: `msg_${run.id}_${name}_${millisecondsOf(since)}`,
    occurredAt: plusSeconds(since, interruptedAfterSeconds),
  })
  switch (event) {
    case 'run.started':
      return { id, occurredAt: run.startedAt }
    case 'run.stalled':
      return standstill('stalled', run.latestProgressAt)
    case 'run.interrupted':
      return standstill('interrupted', run.latestRequestAt)
    case 'run.finished':
      // The request that finished the run is its latest.
      return { id, occurredAt: run.latestRequestAt }
  }
}

/** The deliveries of an event of a run, due at once: one for each enabled webhook of the organisation with this event. */
export const deliveriesOf = (
  webhooks: readonly Pick<Webhook, 'id' | 'organisation' | 'events' | 'disabledAt'>[],
  run: ImportRun,
  event: WebhookEvent,
): readonly WebhookDelivery[] =>
  webhooks
    .filter(({ organisation, events, disabledAt }) => {
      const isTarget = disabledAt === undefined && organisation === run.organisation
      return isTarget && events.includes(event)
    })
    .map(({ id: webhook }) => {
      const occurrence = occurrenceOf(run, event)
      return { webhook, event, importRun: run.id, ...occurrence, dueAt: occurrence.occurredAt, attempts: 0 }
    })
