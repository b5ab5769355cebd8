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
  fromOptionalSqlInstant,
  fromSqlInstant,
  jsonColumn,
  type NewRow,
  oneOf,
  tables,
  toSqlInstant,
} from '../sql/rows.js'
import type { Db, Session } from '../sql/session.js'

type WebhookRow = Readonly<{
  id: string
  organisation: string
  events: string
  details: string
  data_key: string | null
  created_at: string
  disabled_at: string | null
  latest_delivery_at: string | null
  latest_failure_code: string | null
  latest_failure_at: string | null
  failing_since: string | null
}>

type DeliveryRow = Readonly<{
  webhook: string
  id: string
  event: WebhookEvent
  import_run: string
  occurred_at: string
  due_at: string
  attempts: number
}>

const events = jsonColumn('webhooks.events', t.readonlyArray(oneOf(webhookEvents)))

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
}: Pick<Webhook, 'url' | 'secrets'>): string => details.toText({ url, secret, ...(previous && { previous }) })

const detailsIn = (text: string): Pick<Webhook, 'url' | 'secrets'> => {
  const { url, secret: current, previous } = details.fromText(text)
  if (previous === undefined) return { url, secrets: { current, previous } }
  return { url, secrets: { current, previous: { ...previous, endsAt: previous.endsAt as Instant } } }
}

const webhookOf = async ({ dataKeys }: Session, row: WebhookRow): Promise<Webhook> => {
  const { latest_failure_code: code, latest_failure_at: failedAt } = row
  return {
    id: row.id,
    organisation: row.organisation,
    ...detailsIn(readText(await dataKeys.of(row.data_key), ownerOf(row.id), row.details)),
    events: events.fromText(row.events),
    createdAt: fromSqlInstant(row.created_at),
    disabledAt: fromOptionalSqlInstant(row.disabled_at),
    latestDeliveryAt: fromOptionalSqlInstant(row.latest_delivery_at),
    latestFailure:
      code === null || failedAt === null ? undefined : { code, occurredAt: fromSqlInstant(failedAt) },
    failingSince: fromOptionalSqlInstant(row.failing_since),
  }
}

const add = async ({ dataKeys, query }: Session, webhook: Webhook): Promise<void> => {
  const dataKey = await dataKeys.make()
  const instant = (at: Instant | undefined) => at && toSqlInstant(at)
  const row: NewRow<WebhookRow> = {
    id: webhook.id,
    organisation: webhook.organisation,
    events: events.toText(webhook.events),
    details: keptText(dataKey, ownerOf(webhook.id), detailsText(webhook)),
    data_key: dataKey?.column,
    created_at: toSqlInstant(webhook.createdAt),
    disabled_at: instant(webhook.disabledAt),
    latest_delivery_at: instant(webhook.latestDeliveryAt),
    latest_failure_code: webhook.latestFailure?.code,
    latest_failure_at: instant(webhook.latestFailure?.occurredAt),
    failing_since: instant(webhook.failingSince),
  }
  await query((db) => db.insert(tables.webhooks, [row]))
}

const findText = `SELECT * FROM ${tables.webhooks} WHERE id = ?`

const rowOf = async ({ query }: Session, id: string): Promise<WebhookRow | undefined> =>
  (await query((db) => db.select<WebhookRow>(findText, [id])))[0]

const find = async (session: Session, id: string): Promise<Webhook | undefined> => {
  const row = await rowOf(session, id)
  return row && webhookOf(session, row)
}

const list = async (session: Session): Promise<readonly Webhook[]> => {
  const text = `SELECT * FROM ${tables.webhooks} ORDER BY organisation, id`
  const rows = await session.query((db) => db.select<WebhookRow>(text))
  return Promise.all(rows.map((row) => webhookOf(session, row)))
}

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
  return (
    (await session.query((db) =>
      db.change(secretsText, [kept, dataKey?.column ?? null, id, row.details]),
    )) === 1
  )
}

const forgetText = `DELETE FROM ${tables.webhookDeliveries} WHERE webhook = ?`

/** The webhook goes first: its lock waits for events that are being kept for it, and later ones do not find it. */
const remove = async (db: Db, id: string): Promise<boolean> => {
  const removed = await db.change(`DELETE FROM ${tables.webhooks} WHERE id = ?`, [id])
  await db.change(forgetText, [id])
  return removed === 1
}

type HearerRow = Pick<WebhookRow, 'id' | 'organisation' | 'events' | 'disabled_at'>

const hearersText = `SELECT id, organisation, events, disabled_at FROM ${tables.webhooks} WHERE organisation = ?`

const rowOfDelivery = (delivery: WebhookDelivery): NewRow<DeliveryRow> => ({
  webhook: delivery.webhook,
  id: delivery.id,
  event: delivery.event,
  import_run: delivery.importRun,
  occurred_at: toSqlInstant(delivery.occurredAt),
  due_at: toSqlInstant(delivery.dueAt),
  attempts: delivery.attempts,
})

/** Keeps the deliveries of an event; to be called in the transaction that changes the run. */
export const tellWebhooks = async (db: Db, run: ImportRun, event: WebhookEvent): Promise<void> => {
  // Locked, so that a webhook that is removed meanwhile leaves no delivery behind.
  const rows = await db.select<HearerRow>(`${hearersText} ${db.dialect.forUpdate}`, [run.organisation])
  const webhooks = rows.map((row) => ({
    id: row.id,
    organisation: row.organisation,
    events: events.fromText(row.events),
    disabledAt: fromOptionalSqlInstant(row.disabled_at),
  }))
  const deliveries = deliveriesOf(webhooks, run, event)
  if (deliveries.length > 0) await db.insert(tables.webhookDeliveries, deliveries.map(rowOfDelivery))
}

/** Looks at one delivery of each webhook, however many wait. */
const due = async (db: Db, at: Instant, limit: number): Promise<readonly string[]> => {
  const deliveries = db.dialect.inOrderOf(tables.webhookDeliveries, 'webhook_deliveries_due')
  const first = `SELECT due_at FROM ${deliveries} WHERE webhook = w.id ORDER BY due_at LIMIT 1`
  const text =
    `SELECT id FROM (SELECT id, (${first}) AS due_at FROM ${tables.webhooks} AS w) AS firsts ` +
    `WHERE due_at <= ? ORDER BY due_at, id LIMIT ${Math.trunc(limit)}`
  return (await db.select<{ id: string }>(text, [toSqlInstant(at)])).map(({ id }) => id)
}

// At one moment the events happen in the order against that of their names: started, stalled, interrupted, finished.
const nextText =
  `SELECT * FROM ${tables.webhookDeliveries} WHERE webhook = ? AND due_at <= ? ` +
  'ORDER BY occurred_at, event DESC, id LIMIT 1'

const next = async (db: Db, webhook: string, at: Instant): Promise<WebhookDelivery | undefined> => {
  const [row] = await db.select<DeliveryRow>(nextText, [webhook, toSqlInstant(at)])
  return (
    row && {
      webhook: row.webhook,
      id: row.id,
      event: row.event,
      importRun: row.import_run,
      occurredAt: fromSqlInstant(row.occurred_at),
      dueAt: fromSqlInstant(row.due_at),
      attempts: Number(row.attempts),
    }
  )
}

const ofDelivery = 'WHERE webhook = ? AND id = ?'

/** First the delivery, so that who settles and who tells of a run lock rows in the same order. */
const settle = async (db: Db, settlement: WebhookSettlement): Promise<void> => {
  const { webhook, at } = settlement
  const instant = toSqlInstant(at)
  const set = (columns: string, values: readonly string[]) =>
    db.change(`UPDATE ${tables.webhooks} SET ${columns} WHERE id = ?`, [...values, webhook])
  if (settlement._tag === 'gone') await db.change(forgetText, [webhook])
  else if (settlement._tag === 'deferred')
    await db.change(
      `UPDATE ${tables.webhookDeliveries} SET due_at = ?, attempts = attempts + 1 ${ofDelivery}`,
      [toSqlInstant(settlement.dueAt), webhook, settlement.id],
    )
  else await db.change(`DELETE FROM ${tables.webhookDeliveries} ${ofDelivery}`, [webhook, settlement.id])
  if (settlement._tag === 'delivered') await set('latest_delivery_at = ?, failing_since = NULL', [instant])
  else
    // `failingFrom`, written out: MySQL sees values that it has just assigned, so the failure before is compared first.
    await set(
      'failing_since = CASE WHEN failing_since IS NULL OR latest_failure_at < ? THEN ? ELSE failing_since END, ' +
        'latest_failure_code = ?, latest_failure_at = ?',
      [
        toSqlInstant(instantOf(millisecondsOf(settlement.at) - unknownAfterSeconds * 1000)),
        instant,
        settlement.code,
        instant,
      ],
    )
  if (settlement._tag === 'gone') await set('disabled_at = ?', [instant])
}

export const sqlWebhooks = (session: Session): Webhooks => {
  const { query, transaction } = session
  return sqlPort<Webhooks>('webhooks', {
    add: (webhook) => add(session, webhook),
    find: (id) => find(session, id),
    list: () => list(session),
    changeSecrets: (id, known, secrets) => changeSecrets(session, id, known, secrets),
    remove: (id) => transaction((db) => remove(db, id)),
    due: (at, limit) => query((db) => due(db, at, limit)),
    next: (webhook, at) => query((db) => next(db, webhook, at)),
    settle: (settlement) => transaction((db) => settle(db, settlement)),
  })
}
