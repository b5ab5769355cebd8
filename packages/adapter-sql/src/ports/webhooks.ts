import type {
  ImportRun,
  Instant,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  Webhooks,
  WebhookSecrets,
  WebhookSettlement,
} from '@account-import/core'
import { instantOf, millisecondsOf, webhookEvents } from '@account-import/core'
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
  toSqlInstant,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'

/** What the row of a webhook holds besides its latest failure, and its address and secrets, which are encrypted where the database is. */
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

const add = async ({ dataKeys, query }: Session, webhook: Webhook): Promise<void> => {
  const dataKey = await dataKeys.make()
  const row: Row = {
    ...webhooks.rowOf(webhook),
    details: keptText(dataKey, ownerOf(webhook.id), detailsText(webhook)),
    data_key: dataKey?.column,
    latest_failure_code: webhook.latestFailure?.code,
    latest_failure_at: optionalInstant.write(webhook.latestFailure?.occurredAt),
  }
  await query((db) => db.insert(tables.webhooks, [row]))
}

const findText = `SELECT * FROM ${tables.webhooks} WHERE id = ?`

const rowOf = async ({ query }: Session, id: string): Promise<WebhookRow | undefined> =>
  (await query((db) => db.select<WebhookRow>(findText, [id])))[0]

const secretsText = `UPDATE ${tables.webhooks} SET details = ?, data_key = ? WHERE id = ? AND details = ?`

const changeSecrets = async (
  session: Session,
  id: string,
  known: WebhookSecrets,
  secrets: WebhookSecrets,
): Promise<boolean> => {
  const row = await rowOf(session, id)
  if (row === undefined) return false
  const { url, secrets: found } = await webhookOf(session, row)
  if (found.current !== known.current) return false
  // A new data key: the old one may be wrapped anew at this moment.
  const dataKey = await session.dataKeys.make()
  const kept = keptText(dataKey, ownerOf(id), detailsText({ url, secrets }))
  return session.query((db) => db.changeOne(secretsText, [kept, dataKey?.column ?? null, id, row.details]))
}

const forgetText = `DELETE FROM ${tables.webhookDeliveries} WHERE webhook = ?`

/** The webhook goes first: its lock waits for events that are being kept for it, and later ones do not find it. */
const remove = async (db: Db, id: string): Promise<boolean> => {
  const removed = await db.change(`DELETE FROM ${tables.webhooks} WHERE id = ?`, [id])
  await db.change(forgetText, [id])
  return removed === 1
}

/** Keeps the deliveries of an event; to be called in the transaction that changes the run. */
export const tellWebhooks = async (db: Db, run: ImportRun, event: WebhookEvent): Promise<void> => {
  // Locked, so that a webhook that is removed meanwhile leaves no delivery behind.
  const hearers = await db.records(webhooks, `WHERE organisation = ? ${db.dialect.forUpdate}`, [
    run.organisation,
  ])
  const kept = deliveriesOf(hearers, run, event)
  if (kept.length > 0) await db.insert(deliveries.name, kept.map(deliveries.rowOf))
}

/** Looks at one delivery of each webhook, however many wait. */
const due = async (db: Db, at: Instant, limit: number): Promise<readonly string[]> => {
  const waiting = db.dialect.inOrderOf(tables.webhookDeliveries, 'webhook_deliveries_due')
  const first = `SELECT due_at FROM ${waiting} WHERE webhook = w.id ORDER BY due_at LIMIT 1`
  const text =
    `SELECT id FROM (SELECT id, (${first}) AS due_at FROM ${tables.webhooks} AS w) AS firsts ` +
    `WHERE due_at <= ? ORDER BY due_at, id LIMIT ${Math.trunc(limit)}`
  return (await db.select<{ id: string }>(text, [toSqlInstant(at)])).map(({ id }) => id)
}

// At one moment the events happen in the order against that of their names: started, stalled, interrupted, finished.
const isNext = 'WHERE webhook = ? AND due_at <= ? ORDER BY occurred_at, event DESC, id LIMIT 1'

const ofDelivery = 'WHERE webhook = ? AND id = ?'

/** First the delivery, so that who settles and who tells of a run lock rows in the same order. */
const settle = async (db: Db, settlement: WebhookSettlement): Promise<void> => {
  const { webhook, at } = settlement
  const now = toSqlInstant(at)
  const set = (columns: string, values: readonly string[]) =>
    db.change(`UPDATE ${tables.webhooks} SET ${columns} WHERE id = ?`, [...values, webhook])
  if (settlement._tag === 'gone') await db.change(forgetText, [webhook])
  else if (settlement._tag === 'deferred')
    await db.change(
      `UPDATE ${tables.webhookDeliveries} SET due_at = ?, attempts = attempts + 1 ${ofDelivery}`,
      [toSqlInstant(settlement.dueAt), webhook, settlement.id],
    )
  else await db.change(`DELETE FROM ${tables.webhookDeliveries} ${ofDelivery}`, [webhook, settlement.id])
  if (settlement._tag === 'delivered') await set('latest_delivery_at = ?, failing_since = NULL', [now])
  else
    // `failingFrom`, written out: MySQL sees values that it has just assigned, so the failure before is compared first.
    await set(
      'failing_since = CASE WHEN failing_since IS NULL OR latest_failure_at < ? THEN ? ELSE failing_since END, ' +
        'latest_failure_code = ?, latest_failure_at = ?',
      [
        toSqlInstant(instantOf(millisecondsOf(settlement.at) - unknownAfterSeconds * 1000)),
        now,
        settlement.code,
        now,
      ],
    )
  if (settlement._tag === 'gone') await set('disabled_at = ?', [now])
}

export const sqlWebhooks = (session: Session): Webhooks => {
  const { query, transaction } = session
  return sqlPort<Webhooks>('webhooks', {
    add: (webhook) => add(session, webhook),
    find: async (id) => {
      const row = await rowOf(session, id)
      return row && webhookOf(session, row)
    },
    list: async () => {
      const text = `SELECT * FROM ${tables.webhooks} ORDER BY organisation, id`
      const rows = await query((db) => db.select<WebhookRow>(text))
      return Promise.all(rows.map((row) => webhookOf(session, row)))
    },
    changeSecrets: (id, known, secrets) => changeSecrets(session, id, known, secrets),
    remove: (id) => transaction((db) => remove(db, id)),
    due: (at, limit) => query((db) => due(db, at, limit)),
    next: (webhook, at) =>
      query(async (db) => (await db.records(deliveries, isNext, [webhook, toSqlInstant(at)]))[0]),
    settle: (settlement) => transaction((db) => settle(db, settlement)),
  })
}
