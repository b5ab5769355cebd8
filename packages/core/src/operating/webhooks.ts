import { type ImportRun, interruptedAfterSeconds, type RunCounts } from '../domain/import-run.js'
import { stateAfter, type Webhook, type WebhookDelivery } from '../domain/webhook.js'
import { E, type Either, pipe } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { WebhookAnswer, WebhookSettlement } from '../ports/webhooks.js'
import { type Instant, plusSeconds, toWireDatetime } from '../values/instant.js'
import { fractionOf } from './emails.js'
import type { UseCaseResult } from '../checking/errors.js'
import { askedTwice } from '../lists/lists.js'

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

/** The body contains ids, counts, codes and paths of fields alone. The counts are the present ones. */
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
      errors: errors
        .slice(0, mostErrors)
        .map(({ step, code, field, count }) => ({ step, code, field, count })),
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

const settle = async (
  { webhooks }: WebhookPorts,
  { webhook, id }: WebhookDelivery,
  settlement: WebhookSettlement,
): PortResult<WebhookOutcome> =>
  pipe(
    // A message whose outcome is not stored is sent again. A second statement costs less than a second message.
    await askedTwice(() => webhooks.settle(settlement)),
    E.map(() => ({
      webhook,
      id,
      outcome: settlement._tag === 'gone' ? 'disabled' : settlement._tag,
      code: 'code' in settlement ? settlement.code : undefined,
    })),
  )

const giveUp = (ports: WebhookPorts, delivery: WebhookDelivery, code: string): PortResult<WebhookOutcome> => {
  const { webhook, id } = delivery
  return settle(ports, delivery, { _tag: 'given_up', webhook, id, at: ports.clock.now(), code })
}

/** Defers a delivery whose message cannot be made now, so that it does not block later ones. The failure is the answer. */
const putOff = async (
  ports: WebhookPorts,
  delivery: WebhookDelivery,
  failure: Either<PortFailure, never>,
): PortResult<never> => {
  const settlement = settlementOf(delivery, { _tag: 'failed', code: 'store' }, ports.clock.now())
  const settled = await settle(ports, delivery, settlement)
  return E.isLeft(settled) ? settled : failure
}

const send = async (
  ports: WebhookPorts,
  delivery: WebhookDelivery,
  webhook: Webhook,
  run: ImportRun,
  signal: AbortSignal,
): PortResult<WebhookOutcome> => {
  const counts = await ports.importRuns.counts(run)
  if (E.isLeft(counts)) return putOff(ports, delivery, counts)
  const at = ports.clock.now()
  const body = bodyOf(delivery, run, counts.right)
  const { url } = webhook
  const secrets = signingSecrets(webhook, at)
  const answer = await ports.webhookSender.send({ url, id: delivery.id, at, body, secrets }, signal)
  return answer._tag === 'stopped'
    ? E.right({ webhook: webhook.id, id: delivery.id, outcome: answer._tag, code: undefined })
    : settle(ports, delivery, settlementOf(delivery, answer, ports.clock.now(), webhook.failingSince))
}

/** Sends one delivery; undefined if the webhook does not exist any more: then its deliveries are removed. */
const attempt = async (
  ports: WebhookPorts,
  delivery: WebhookDelivery,
  signal: AbortSignal,
): PortResult<WebhookOutcome | undefined> => {
  const { webhooks, importRuns } = ports
  const found = await webhooks.find(delivery.webhook)
  if (E.isLeft(found)) return putOff(ports, delivery, found)
  const webhook = found.right
  if (webhook === undefined)
    return pipe(
      await webhooks.remove(delivery.webhook),
      E.map(() => undefined),
    )
  const run = await importRuns.find(webhook.organisation, delivery.importRun)
  if (E.isLeft(run)) return putOff(ports, delivery, run)
  // The event occurred while the webhook was being disabled.
  if (webhook.disabledAt !== undefined) return giveUp(ports, delivery, 'disabled')
  return run.right === undefined
    ? giveUp(ports, delivery, 'import_run_does_not_exist')
    : send(ports, delivery, webhook, run.right, signal)
}

/** Sends the first delivery that is due; undefined if there is none, or another relay has the lease. */
const deliverNext = async (
  ports: WebhookPorts,
  webhook: string,
  token: string,
  signal: AbortSignal,
): PortResult<WebhookOutcome | undefined> => {
  const { clock, leases, webhooks, webhookSender } = ports
  const at = clock.now()
  // Longer than the time-out of sending, so that no other relay sends the same delivery concurrently.
  const endsAt = plusSeconds(at, 2 * webhookSender.sendSeconds + 5)
  const isTaken = await leases.take({ job: `webhook ${webhook}`, token, at, endsAt })
  if (E.isLeft(isTaken)) return isTaken
  if (!isTaken.right) return E.right(undefined)
  const delivery = await webhooks.next(webhook, at)
  if (E.isLeft(delivery)) return delivery
  return delivery.right === undefined ? E.right(undefined) : attempt(ports, delivery.right, signal)
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
      const result = await deliverNext(ports, webhook, token, signal)
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
    await leases.take({ job: `webhook ${webhook}`, token, at, endsAt: at })
  }
}

/** The use cases of a relay of webhooks, on the given ports. */
export const makeWebhookUseCases = (ports: WebhookPorts): WebhookUseCases => ({
  canSend: ports.webhookSender.canSend,
  noteStandstills: (limit) =>
    ports.importRuns.noteStandstills(plusSeconds(ports.clock.now(), -interruptedAfterSeconds), limit),
  due: (limit) => ports.webhooks.due(ports.clock.now(), limit),
  deliver: async (webhook, signal) => E.right(deliver(ports, webhook, signal)),
})
