import { compareCodePoints } from '../values/compare-code-points.js'
import { type Instant, millisecondsOf, plusSeconds } from '../values/instant.js'
import type { FailedAttempt } from './account-import.js'
import { type ImportRun, interruptedAfterSeconds, type RunState } from './import-run.js'

/** Events that webhooks are told of. */
export const webhookEvents = ['run.started', 'run.interrupted', 'run.finished'] as const
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
  /** Since when nothing is sent, as the receiver answered that it is gone. */
  disabledAt: Instant | undefined
  latestDeliveryAt: Instant | undefined
  latestFailure: FailedAttempt | undefined
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

/** The state that a run got by an event. */
export const stateAfter: Readonly<Record<WebhookEvent, RunState>> = {
  'run.started': 'running',
  'run.interrupted': 'interrupted',
  'run.finished': 'finished',
}

type Occurrence = Pick<WebhookDelivery, 'id' | 'occurredAt'>

/** A run that goes on may be interrupted again: the time of its latest request tells the interruptions apart. */
const occurrenceOf = (run: ImportRun, event: WebhookEvent): Occurrence => {
  const id = `msg_${run.id}_${stateAfter[event]}`
  switch (event) {
    case 'run.started':
      return { id, occurredAt: run.startedAt }
    case 'run.interrupted':
      return {
        id: `${id}_${millisecondsOf(run.latestRequestAt)}`,
        occurredAt: plusSeconds(run.latestRequestAt, interruptedAfterSeconds),
      }
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
