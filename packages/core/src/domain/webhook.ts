import { compareCodePoints } from '../values/compare.js'
import { type Instant, millisecondsOf, plusSeconds } from '../values/instant.js'
import type { FailedAttempt } from './account-import.js'
import { type ImportRun, interruptedAfterSeconds, type RunState } from './import-run.js'

/** Events that webhooks are told of. */
export const webhookEvents = ['run.started', 'run.stalled', 'run.interrupted', 'run.finished'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** `whsec_` and the base64 of 32 bytes. The previous one signs too until it ends. */
export type WebhookSecrets = Readonly<{
  current: string
  previous: Readonly<{ secret: string; endsAt: Instant }> | undefined
}>

/** An address of an organisation that is told of its import runs. */
export type Webhook = Readonly<{
  /** Letters and digits, 16 of them. */
  id: string
  organisation: string
  /** It may hold a secret, so that no log shows it. */
  url: string
  /** At least one, each once. */
  events: readonly WebhookEvent[]
  secrets: WebhookSecrets
  createdAt: Instant
  /** Since when nothing is sent, as the receiver answered that it is gone, or took nothing over for long. */
  disabledAt: Instant | undefined
  latestDeliveryAt: Instant | undefined
  latestFailure: FailedAttempt | undefined
  /** `failingFrom`; undefined where the latest attempt did not fail. */
  failingSince: Instant | undefined
}>

/** An event that waits for one webhook. */
export type WebhookDelivery = Readonly<{
  webhook: string
  /** The header `webhook-id` of each attempt: letters, digits and `_`. A webhook gets an event once by it. */
  id: string
  event: WebhookEvent
  importRun: string
  occurredAt: Instant
  dueAt: Instant
  /** Attempts that failed. */
  attempts: number
}>

/** The state that a run has by an event. */
export const stateAfter: Readonly<Record<WebhookEvent, RunState>> = {
  'run.started': 'running',
  'run.stalled': 'running',
  'run.interrupted': 'interrupted',
  'run.finished': 'finished',
}

/** Longer than any pause between two attempts: after so many seconds without one, nothing is known of the receiver. */
export const unknownAfterSeconds = 86_400

/** Since when each attempt failed, once one failed at `at`. After a day without an attempt it begins anew. */
export const failingFrom = (
  { failingSince, latestFailure }: Pick<Webhook, 'failingSince' | 'latestFailure'>,
  at: Instant,
): Instant =>
  failingSince !== undefined &&
  latestFailure !== undefined &&
  plusSeconds(latestFailure.occurredAt, unknownAfterSeconds) >= at
    ? failingSince
    : at

type Occurrence = Pick<WebhookDelivery, 'id' | 'occurredAt'>

/** The event of a run that stands still, and since when it does. */
export type Standstill = Readonly<{ event: 'run.interrupted' | 'run.stalled'; since: Instant }>

/** Whether a run stands still: it is not finished, and no request came since `before`, or none that was progress. */
export const standstillOf = (
  { finishedAt, latestRequestAt, latestProgressAt }: ImportRun,
  before: Instant,
): Standstill | undefined => {
  if (finishedAt !== undefined) return undefined
  if (latestRequestAt < before) return { event: 'run.interrupted', since: latestRequestAt }
  return latestProgressAt < before ? { event: 'run.stalled', since: latestProgressAt } : undefined
}

/** A run that goes on may stand still again: since when it does tells the standstills apart. */
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
      // The request that finished it is its latest.
      return { id, occurredAt: run.latestRequestAt }
  }
}

/** The deliveries of an event of a run, due at once: one for each of the webhooks that wants it. */
export const deliveriesOf = (
  webhooks: readonly Pick<Webhook, 'id' | 'organisation' | 'events' | 'disabledAt'>[],
  run: ImportRun,
  event: WebhookEvent,
): readonly WebhookDelivery[] =>
  webhooks
    .filter(({ organisation, events, disabledAt }) => {
      const isHeard = disabledAt === undefined && organisation === run.organisation
      return isHeard && events.includes(event)
    })
    .map(({ id: webhook }) => {
      const occurrence = occurrenceOf(run, event)
      return { webhook, event, importRun: run.id, ...occurrence, dueAt: occurrence.occurredAt, attempts: 0 }
    })

/** The order in which a webhook gets what is due. */
export const compareDeliveries = (
  a: Pick<WebhookDelivery, 'occurredAt' | 'event'>,
  b: Pick<WebhookDelivery, 'occurredAt' | 'event'>,
): number =>
  compareCodePoints(a.occurredAt, b.occurredAt) ||
  webhookEvents.indexOf(a.event) - webhookEvents.indexOf(b.event)
