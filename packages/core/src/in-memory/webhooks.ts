import type { ImportRun } from '../domain/import-run.js'
import {
  compareDeliveries,
  deliveriesOf,
  failingFrom,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
} from '../domain/webhook.js'
import { portCall } from '../ports/port-failure.js'
import type { Webhooks, WebhookSettlement } from '../ports/webhooks.js'
import { compareCodePoints } from '../values/compare-code-points.js'
import type { Memory } from './memory.js'

const nameOf = ({ webhook, id }: Pick<WebhookDelivery, 'webhook' | 'id'>): string => `${webhook} ${id}`

/** Keeps the deliveries of an event; to be called in the same turn as the change of the run. */
export const tellWebhooks = (
  { webhooks, deliveries }: Pick<Memory, 'webhooks' | 'deliveries'>,
  run: ImportRun,
  event: WebhookEvent,
): void => {
  for (const delivery of deliveriesOf([...webhooks.values()], run, event))
    deliveries.set(nameOf(delivery), delivery)
}

const compareWebhooks = (a: Webhook, b: Webhook): number =>
  compareCodePoints(a.organisation, b.organisation) || compareCodePoints(a.id, b.id)

export const inMemoryWebhooks = ({
  webhooks,
  deliveries,
}: Pick<Memory, 'webhooks' | 'deliveries'>): Webhooks => {
  const call = portCall('webhooks')

  const forget = (webhook: string): void => {
    for (const [name, delivery] of deliveries) if (delivery.webhook === webhook) deliveries.delete(name)
  }

  const dueAt = (at: WebhookDelivery['dueAt']): readonly WebhookDelivery[] =>
    [...deliveries.values()]
      .filter((delivery) => delivery.dueAt <= at)
      .sort((a, b) => compareCodePoints(a.dueAt, b.dueAt))

  const settleDelivery = (settlement: Exclude<WebhookSettlement, { _tag: 'gone' }>): void => {
    const name = nameOf(settlement)
    const delivery = deliveries.get(name)
    if (delivery === undefined) return
    if (settlement._tag !== 'deferred') deliveries.delete(name)
    else deliveries.set(name, { ...delivery, attempts: delivery.attempts + 1, dueAt: settlement.dueAt })
  }

  const settle = (settlement: WebhookSettlement): void => {
    const { webhook: id, at } = settlement
    if (settlement._tag === 'gone') forget(id)
    else settleDelivery(settlement)
    const webhook = webhooks.get(id)
    if (webhook === undefined) return
    if (settlement._tag === 'delivered')
      webhooks.set(id, { ...webhook, latestDeliveryAt: at, failingSince: undefined })
    else
      webhooks.set(id, {
        ...webhook,
        latestFailure: { code: settlement.code, occurredAt: at },
        failingSince: failingFrom(webhook, at),
        disabledAt: settlement._tag === 'gone' ? at : webhook.disabledAt,
      })
  }

  return {
    add: (webhook) => call('add', async () => void webhooks.set(webhook.id, webhook)),
    find: (id) => call('find', async () => webhooks.get(id)),
    list: () => call('list', async () => [...webhooks.values()].sort(compareWebhooks)),
    changeSecrets: (id, known, secrets) =>
      call('changeSecrets', async () => {
        const webhook = webhooks.get(id)
        if (webhook?.secrets.current !== known.current) return false
        webhooks.set(id, { ...webhook, secrets })
        return true
      }),
    remove: (id) =>
      call('remove', async () => {
        forget(id)
        return webhooks.delete(id)
      }),
    due: (at, limit) =>
      call('due', async () => [...new Set(dueAt(at).map(({ webhook }) => webhook))].slice(0, limit)),
    next: (webhook, at) =>
      call('next', async () =>
        dueAt(at)
          .filter((delivery) => delivery.webhook === webhook)
          .sort(compareDeliveries)
          .at(0),
      ),
    settle: (settlement) => call('settle', async () => settle(settlement)),
  }
}
