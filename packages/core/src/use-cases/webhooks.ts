import { type ImportRun, interruptedAfterSeconds, type RunCounts } from '../domain/import-run.js'
import { stateAfter, type Webhook, type WebhookDelivery } from '../domain/webhook.js'
import { E, type Either, pipe, type TaskEither, TE } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure } from '../ports/port-failure.js'
import type { WebhookAnswer, WebhookSettlement } from '../ports/webhooks.js'
import { type Instant, plusSeconds, toWireDatetime } from '../values/instant.js'
import { fractionOf } from './emails.js'
import type { UseCaseResult } from './errors.js'

/** The outcome of one attempt, for logs: ids and codes alone. */
export type WebhookOutcome = Readonly<{
  webhook: string
  /** The `webhook-id` of the delivery. */
  id: string
  /**
   * `disabled`: the receiver answered 410, or all attempts of five days failed; `stopped`: the attempt was aborted and does not
   * count.
   */
  outcome: 'delivered' | 'deferred' | 'given_up' | 'disabled' | 'stopped'
  code: string | undefined
}>

/** The work that a relay of webhooks repeats. Several relays may run at once: a webhook gets one message at a time. */
export type WebhookUseCases = Readonly<{
  /** False where nothing can be sent. */
  canSend: boolean
  /**
   * Makes events `run.interrupted` or `run.stalled` for up to `limit` (1 to 1000) runs without progress; returns their number.
   */
  noteStandstills(limit: number): UseCaseResult<never, number>
  /** The ids of up to `limit` (1 to 1000) webhooks with a delivery that is due. */
  due(limit: number): UseCaseResult<never, readonly string[]>
  /**
   * Sends the due deliveries of one webhook, in order, unless another relay has the lease: an outcome for each attempt. A Left
   * ends the iteration. The signal aborts the present attempt.
   */
  deliver(
    webhook: string,
    signal: AbortSignal,
  ): UseCaseResult<never, AsyncIterable<Either<PortFailure, WebhookOutcome>>>
}>

type WebhookPorts = Pick<Ports, 'webhooks' | 'webhookSender' | 'importRuns' | 'leases' | 'clock' | 'secrets'>

/** Seconds after each failure: 12 attempts within 22 hours. */
const retryDelays = [5, 60, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 18_000, 21_600]

/** Undefined after the last attempt. Plus or minus 10 %, so that deliveries that failed together are not all retried at once. */
const retryDelay = ({ id, attempts }: WebhookDelivery): number | undefined => {
  const delay = retryDelays[attempts]
  return delay === undefined ? undefined : delay * (0.9 + fractionOf(`${id}/${attempts}`) / 5)
}

/** The secrets that sign a message at this moment. */
export const signingSecrets = ({ secrets: { current, previous } }: Webhook, at: Instant): readonly string[] =>
  previous !== undefined && at < previous.endsAt ? [current, previous.secret] : [current]

/** After so many seconds without a successful attempt, the next delivery that is given up disables the webhook. */
const deadSeconds = 5 * 86_400

const mostErrors = 5

/** The body contains ids, counts and codes alone. The counts are the present ones. */
const bodyOf = (
  { event, occurredAt }: WebhookDelivery,
  run: ImportRun,
  { staged, created, failed, errors }: RunCounts,
): string =>
  JSON.stringify({
    type: event,
    timestamp: toWireDatetime(occurredAt),
    data: {
      import_run: run.id,
      import_supplier: run.importSupplier,
      state: stateAfter[event],
      counts: { staged, created, failed },
      errors: errors.slice(0, mostErrors).map(({ step, code, count }) => ({ step, code, count })),
    },
  })

const settlementOf = (
  delivery: WebhookDelivery,
  answer: Exclude<WebhookAnswer, { _tag: 'stopped' }>,
  at: Instant,
  failingSince?: Instant,
): WebhookSettlement => {
  const { webhook, id } = delivery
  if (answer._tag === 'accepted') return { _tag: 'delivered', webhook, id, at }
  const failed = { webhook, at, code: answer.code }
  if (answer._tag === 'gone') return { _tag: 'gone', ...failed }
  const delay = retryDelay(delivery)
  if (delay === undefined) {
    const isDead = failingSince !== undefined && plusSeconds(failingSince, deadSeconds) <= at
    return isDead ? { _tag: 'gone', ...failed } : { _tag: 'given_up', id, ...failed }
  }
  return {
    _tag: 'deferred',
    id,
    ...failed,
    dueAt: plusSeconds(at, Math.max(delay, answer.retryAfterSeconds ?? 0)),
  }
}

const settle = (
  { webhooks }: WebhookPorts,
  { webhook, id }: WebhookDelivery,
  settlement: WebhookSettlement,
): TaskEither<PortFailure, WebhookOutcome> =>
  pipe(
    webhooks.settle(settlement),
    // A message whose outcome is not stored is sent again. A second statement costs less than a second message.
    TE.orElse(() => webhooks.settle(settlement)),
    TE.map(() => ({
      webhook,
      id,
      outcome: settlement._tag === 'gone' ? 'disabled' : settlement._tag,
      code: 'code' in settlement ? settlement.code : undefined,
    })),
  )

const giveUp = (
  ports: WebhookPorts,
  delivery: WebhookDelivery,
  code: string,
): TaskEither<PortFailure, WebhookOutcome> => {
  const { webhook, id } = delivery
  return settle(ports, delivery, { _tag: 'given_up', webhook, id, at: ports.clock.now(), code })
}

/** Defers a delivery whose message cannot be made now, so that it does not block later ones. */
const putOff = (ports: WebhookPorts, delivery: WebhookDelivery): TaskEither<PortFailure, WebhookOutcome> =>
  settle(ports, delivery, settlementOf(delivery, { _tag: 'failed', code: 'store' }, ports.clock.now()))

const send = (
  ports: WebhookPorts,
  delivery: WebhookDelivery,
  webhook: Webhook,
  run: ImportRun,
  signal: AbortSignal,
): TaskEither<PortFailure, WebhookOutcome> =>
  pipe(
    ports.importRuns.counts(run),
    TE.tapError(() => putOff(ports, delivery)),
    TE.flatMapTask((counts) => {
      const at = ports.clock.now()
      const body = bodyOf(delivery, run, counts)
      const { url } = webhook
      const secrets = signingSecrets(webhook, at)
      return ports.webhookSender.send({ url, id: delivery.id, at, body, secrets }, signal)
    }),
    TE.flatMap((answer) =>
      answer._tag === 'stopped'
        ? TE.right({ webhook: webhook.id, id: delivery.id, outcome: answer._tag, code: undefined })
        : settle(ports, delivery, settlementOf(delivery, answer, ports.clock.now(), webhook.failingSince)),
    ),
  )

/** Sends one delivery; undefined if the webhook does not exist any more: then its deliveries are removed. */
const attempt = (
  ports: WebhookPorts,
  delivery: WebhookDelivery,
  signal: AbortSignal,
): TaskEither<PortFailure, WebhookOutcome | undefined> => {
  const { webhooks, importRuns } = ports
  return pipe(
    webhooks.find(delivery.webhook),
    TE.bindTo('webhook'),
    TE.bind('run', ({ webhook }) =>
      webhook === undefined ? TE.right(undefined) : importRuns.find(webhook.organisation, delivery.importRun),
    ),
    TE.tapError(() => putOff(ports, delivery)),
    TE.flatMap(({ webhook, run }): TaskEither<PortFailure, WebhookOutcome | undefined> => {
      if (webhook === undefined)
        return pipe(
          webhooks.remove(delivery.webhook),
          TE.map(() => undefined),
        )
      // The event occurred while the webhook was being disabled.
      if (webhook.disabledAt !== undefined) return giveUp(ports, delivery, 'disabled')
      return run === undefined
        ? giveUp(ports, delivery, 'import_run_does_not_exist')
        : send(ports, delivery, webhook, run, signal)
    }),
  )
}

/** Sends the first delivery that is due; undefined if there is none, or another relay has the lease. */
const deliverNext = (
  ports: WebhookPorts,
  webhook: string,
  token: string,
  signal: AbortSignal,
): TaskEither<PortFailure, WebhookOutcome | undefined> => {
  const { clock, leases, webhooks, webhookSender } = ports
  const at = clock.now()
  // Longer than the time-out of sending, so that no other relay sends the same delivery concurrently.
  const endsAt = plusSeconds(at, 2 * webhookSender.sendSeconds + 5)
  return pipe(
    leases.take({ job: `webhook ${webhook}`, token, at, endsAt }),
    TE.flatMap((isTaken) => (isTaken ? webhooks.next(webhook, at) : TE.right(undefined))),
    TE.flatMap((delivery) =>
      delivery === undefined ? TE.right(undefined) : attempt(ports, delivery, signal),
    ),
  )
}

async function* deliver(
  ports: WebhookPorts,
  webhook: string,
  signal: AbortSignal,
): AsyncGenerator<Either<PortFailure, WebhookOutcome>> {
  const { clock, leases, secrets } = ports
  const token = secrets.generate()
  try {
    for (;;) {
      const result = await deliverNext(ports, webhook, token, signal)()
      if (E.isLeft(result)) {
        yield result
        return
      }
      if (result.right === undefined) return
      yield E.right(result.right)
      if (result.right.outcome === 'stopped') return
    }
  } finally {
    // Ends the lease, so that the next relay need not wait for its expiry. A failure is ignored: then it waits.
    const at = clock.now()
    await leases.take({ job: `webhook ${webhook}`, token, at, endsAt: at })()
  }
}

/** The use cases of a relay of webhooks, on the given ports. */
export const makeWebhookUseCases = (ports: WebhookPorts): WebhookUseCases => ({
  canSend: ports.webhookSender.canSend,
  noteStandstills: (limit) =>
    ports.importRuns.noteStandstills(plusSeconds(ports.clock.now(), -interruptedAfterSeconds), limit),
  due: (limit) => ports.webhooks.due(ports.clock.now(), limit),
  deliver: (webhook, signal) => TE.fromIO(() => deliver(ports, webhook, signal)),
})
