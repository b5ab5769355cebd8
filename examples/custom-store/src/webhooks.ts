import {
  type ImportRun,
  portCall,
  type WebhookDelivery,
  type WebhookEvent,
  type Webhooks,
  type WebhookSettlement,
} from '@account-import/core'
import {
  compareCodePoints,
  compareDeliveries,
  deliveriesOf,
  failingFrom,
} from '@account-import/core/adapter-kit'
import type { Access } from './turns.js'
import type { View } from './view.js'

const nameOf = ({ webhook, id }: Pick<WebhookDelivery, 'webhook' | 'id'>): string => `${webhook} ${id}`

/** Stores the deliveries of an event, in the commit that changes the run. */
export const tellWebhooks = (view: View, run: ImportRun, event: WebhookEvent): void => {
  for (const delivery of deliveriesOf(view.rows('webhooks'), run, event))
    view.put('deliveries', nameOf(delivery), delivery)
}

const dueAt = (view: View, at: WebhookDelivery['dueAt']): readonly WebhookDelivery[] =>
  view
    .rows('deliveries')
    .filter((delivery) => delivery.dueAt <= at)
    .sort((a, b) => compareCodePoints(a.dueAt, b.dueAt))

const forget = (view: View, webhook: string): void => {
  for (const delivery of view.rows('deliveries'))
    if (delivery.webhook === webhook) view.put('deliveries', nameOf(delivery), null)
}

const settleDelivery = (view: View, settlement: Exclude<WebhookSettlement, { _tag: 'gone' }>): void => {
  const name = nameOf(settlement)
  const delivery = view.get('deliveries', name)
  if (delivery === undefined) return
  const { attempts } = delivery
  const isDeferred = settlement._tag === 'deferred'
  const left = isDeferred ? { ...delivery, attempts: attempts + 1, dueAt: settlement.dueAt } : null
  view.put('deliveries', name, left)
}

const settle = (view: View, settlement: WebhookSettlement): void => {
  const { webhook: id, at } = settlement
  if (settlement._tag === 'gone') forget(view, id)
  else settleDelivery(view, settlement)
  const webhook = view.get('webhooks', id)
  if (webhook === undefined) return
  const told =
    settlement._tag === 'delivered'
      ? { latestDeliveryAt: at, failingSince: undefined }
      : {
          latestFailure: { code: settlement.code, occurredAt: at },
          failingSince: failingFrom(webhook, at),
        }
  const ended = settlement._tag === 'gone' ? { disabledAt: at } : {}
  view.put('webhooks', id, { ...webhook, ...told, ...ended })
}

export const webhooks = ({ read, change }: Access): Webhooks => {
  const call = portCall('webhooks')
  return {
    add: (webhook) => call('add', () => change((view) => view.insert('webhooks', webhook.id, webhook))),
    find: (id) => call('find', () => read((view) => view.get('webhooks', id))),
    list: () =>
      call('list', () =>
        read((view) =>
          view
            .rows('webhooks')
            .sort(
              (a, b) => compareCodePoints(a.organisation, b.organisation) || compareCodePoints(a.id, b.id),
            ),
        ),
      ),
    changeSecrets: (id, known, secrets) =>
      call('changeSecrets', () =>
        change((view) => {
          const webhook = view.get('webhooks', id)
          if (webhook?.secrets.current !== known.current) return false
          view.put('webhooks', id, { ...webhook, secrets })
          return true
        }),
      ),
    remove: (id) =>
      call('remove', () =>
        change((view) => {
          forget(view, id)
          const isThere = view.get('webhooks', id) !== undefined
          view.put('webhooks', id, null)
          return isThere
        }),
      ),
    due: (at, limit) =>
      call('due', () =>
        read((view) => [...new Set(dueAt(view, at).map(({ webhook }) => webhook))].slice(0, limit)),
      ),
    next: (webhook, at) =>
      call('next', () =>
        read((view) =>
          dueAt(view, at)
            .filter((delivery) => delivery.webhook === webhook)
            .sort(compareDeliveries)
            .at(0),
        ),
      ),
    settle: (settlement) => call('settle', () => change((view) => settle(view, settlement))),
  }
}
