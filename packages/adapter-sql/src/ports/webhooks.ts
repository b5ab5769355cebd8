import {
  type ImportRun,
  type Instant,
  instantOf,
  millisecondsOf,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEvents,
  type Webhooks,
} from '@account-import/core'
import { deliveriesOf, unknownAfterSeconds } from '@account-import/core/adapter-kit'
import * as t from 'io-ts'
import { keptText, readText } from '../sql/crypto.js'
import { sqlPort } from '../sql/failures.js'
import {
  failureIn,
  instant,
  jsonColumn,
  oneOf,
  optionalInstant,
  plain,
  recordTable,
  type Row,
  tables,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'

/**
 * The plain columns of a webhook. The row also contains the latest failure, and URL and secrets, which are encrypted where the
 * database is.
 */
const webhooks = recordTable<Omit<Webhook, 'url' | 'secrets' | 'latestFailure'>>(tables.webhooks, {
  id: plain(),
  organisation: plain(),
  events: jsonColumn('webhooks.events', t.readonlyArray(oneOf(webhookEvents))),
  createdAt: instant,
  disabledAt: optionalInstant,
  latestDeliveryAt: optionalInstant,
  failingSince: optionalInstant,
})

type WebhookRow = Row &
  Readonly<{
    id: string
    details: string
    data_key: string | null
    latest_failure_code: string | null
    latest_failure_at: string | null
  }>

const deliveries = recordTable<WebhookDelivery>(tables.webhookDeliveries, {
  webhook: plain(),
  id: plain(),
  event: plain(),
  importRun: plain(),
  occurredAt: instant,
  dueAt: instant,
  attempts: plain(),
})

const details = jsonColumn(
  'webhooks.details',
  t.intersection([
    t.type({ url: t.string, secret: t.string }),
    t.partial({ previous: t.type({ secret: t.string, endsAt: t.string }) }),
  ]),
)

const ownerOf = (id: string) => [tables.webhooks, id] as const

const detailsText = ({
  url,
  secrets: { current: secret, previous },
}: Pick<Webhook, 'url' | 'secrets'>): string => details.write({ url, secret, ...(previous && { previous }) })

const detailsIn = (text: string): Pick<Webhook, 'url' | 'secrets'> => {
  const { url, secret: current, previous } = details.read(text)
  if (previous === undefined) return { url, secrets: { current, previous } }
  return { url, secrets: { current, previous: { ...previous, endsAt: previous.endsAt as Instant } } }
}

const webhookOf = async ({ dataKeys }: Session, row: WebhookRow): Promise<Webhook> => ({
  ...webhooks.recordOf(row),
  ...detailsIn(readText(await dataKeys.of(row.data_key), ownerOf(row.id), row.details)),
  latestFailure: failureIn(row),
})

const findText = `SELECT * FROM ${tables.webhooks} WHERE id = ?`

const rowOf = async ({ query }: Session, id: string): Promise<WebhookRow | undefined> =>
  (await query((db) => db.select<WebhookRow>(findText, [id])))[0]

const forgetText = `DELETE FROM ${tables.webhookDeliveries} WHERE webhook = ?`

/** Stores the deliveries of an event; needs the transaction that changes the run. */
export const storeDeliveries = async (db: Db, run: ImportRun, event: WebhookEvent): Promise<void> => {
  // Locked, so that a webhook that is removed meanwhile has no delivery.
  const subscribers = await db.records(webhooks, `WHERE organisation = ? ${db.dialect.forUpdate}`, [
    run.organisation,
  ])
  const kept = deliveriesOf(subscribers, run, event)
  if (kept.length > 0) await db.insert(deliveries.name, kept.map(deliveries.rowOf))
}

// Events of the same time occur in the descending order of their names: started, stalled, interrupted, finished.
const isNext = 'WHERE webhook = ? AND due_at <= ? ORDER BY occurred_at, event DESC, id LIMIT 1'

const ofDelivery = 'WHERE webhook = ? AND id = ?'

export const sqlWebhooks = (session: Session): Webhooks => {
  const { dataKeys, inQuery, inTransaction, query } = session
  return sqlPort<Webhooks>('webhooks', {
    add: async (webhook) => {
      const dataKey = await dataKeys.make()
      const row: Row = {
        ...webhooks.rowOf(webhook),
        details: keptText(dataKey, ownerOf(webhook.id), detailsText(webhook)),
        data_key: dataKey?.column,
        latest_failure_code: webhook.latestFailure?.code,
        latest_failure_at: optionalInstant.write(webhook.latestFailure?.occurredAt),
      }
      await query((db) => db.insert(webhooks.name, [row]))
    },
    find: async (id) => {
      const row = await rowOf(session, id)
      return row && webhookOf(session, row)
    },
    list: async () => {
      const text = `SELECT * FROM ${tables.webhooks} ORDER BY organisation, id`
      const rows = await query((db) => db.select<WebhookRow>(text))
      return Promise.all(rows.map((row) => webhookOf(session, row)))
    },
    changeSecrets: async (id, known, secrets) => {
      const row = await rowOf(session, id)
      if (row === undefined) return false
      const { url, secrets: found } = await webhookOf(session, row)
      if (found.current !== known.current) return false
      // A new data key, because the old one may be wrapped again at this moment.
      const dataKey = await dataKeys.make()
      const kept = keptText(dataKey, ownerOf(id), detailsText({ url, secrets }))
      const changed = { details: kept, data_key: dataKey?.column }
      return query((db) => db.updateOne(webhooks.name, changed, 'id = ? AND details = ?', [id, row.details]))
    },
    // Deletes the webhook first: the lock waits for transactions that store deliveries for it, and later ones do not find it.
    remove: inTransaction(async (db, id) => {
      const isRemoved = await db.changeOne(`DELETE FROM ${tables.webhooks} WHERE id = ?`, [id])
      await db.change(forgetText, [id])
      return isRemoved
    }),
    // Reads one delivery of each webhook, for any number that wait.
    due: inQuery(async (db, at, limit) => {
      const waiting = db.dialect.inOrderOf(tables.webhookDeliveries, 'webhook_deliveries_due')
      const first = `SELECT due_at FROM ${waiting} WHERE webhook = w.id ORDER BY due_at LIMIT 1`
      const text =
        `SELECT id FROM (SELECT id, (${first}) AS due_at FROM ${tables.webhooks} AS w) AS firsts ` +
        `WHERE due_at <= ? ORDER BY due_at, id LIMIT ${Math.trunc(limit)}`
      return (await db.select<{ id: string }>(text, [instant.write(at)])).map(({ id }) => id)
    }),
    next: inQuery(
      async (db, webhook, at) => (await db.records(deliveries, isNext, [webhook, instant.write(at)]))[0],
    ),
    // Changes the webhook first, as storing and removing deliveries do, so that none waits for another in a circle.
    settle: inTransaction(async (db, settlement) => {
      const { webhook, at } = settlement
      const now = instant.write(at)
      const set = (columns: string, values: readonly string[]) =>
        db.change(`UPDATE ${tables.webhooks} SET ${columns} WHERE id = ?`, [...values, webhook])
      if (settlement._tag === 'delivered') await set('latest_delivery_at = ?, failing_since = NULL', [now])
      else
        // The time since which each attempt failed. MySQL expressions see the values assigned before them, so the earlier failure is
        // compared first.
        await set(
          'failing_since = CASE WHEN failing_since IS NULL OR latest_failure_at < ? THEN ? ELSE failing_since END, ' +
            'latest_failure_code = ?, latest_failure_at = ?',
          [
            instant.write(instantOf(millisecondsOf(settlement.at) - unknownAfterSeconds * 1000)),
            now,
            settlement.code,
            now,
          ],
        )
      if (settlement._tag === 'gone') {
        await set('disabled_at = ?', [now])
        await db.change(forgetText, [webhook])
      } else if (settlement._tag === 'deferred')
        await db.change(
          `UPDATE ${tables.webhookDeliveries} SET due_at = ?, attempts = attempts + 1 ${ofDelivery}`,
          [instant.write(settlement.dueAt), webhook, settlement.id],
        )
      else await db.change(`DELETE FROM ${tables.webhookDeliveries} ${ofDelivery}`, [webhook, settlement.id])
    }),
  })
}
