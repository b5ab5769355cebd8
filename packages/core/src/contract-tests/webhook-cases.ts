import type { ImportRun } from '../domain/import-run.js'
import { type Webhook, type WebhookDelivery, webhookEvents, type WebhookSecrets } from '../domain/webhook.js'
import type { StorePorts } from '../ports/index.js'
import { millisecondsOf } from '../values/instant.js'
import { after, freshCode, freshSupplier, start } from './builders.js'
import { casesOf, type ContractCase, equal, right } from './contract-case.js'
import { openRun } from './import-run-builders.js'

const port = 'Webhooks'

const freshId = (): string => freshCode('w').replaceAll('-', '').slice(-16)

const aWebhook = (organisation: string, changed: Partial<Webhook> = {}): Webhook => ({
  id: freshId(),
  organisation,
  url: 'https://hooks.example/imports?key=k1',
  events: webhookEvents,
  secrets: { current: 'whsec_b25l', previous: undefined },
  createdAt: start,
  disabledAt: undefined,
  latestDeliveryAt: undefined,
  latestFailure: undefined,
  failingSince: undefined,
  ...changed,
})

const added = async ({ webhooks }: StorePorts, webhook: Webhook): Promise<Webhook> => {
  await right(webhooks.add(webhook))
  return webhook
}

const far = after(1_000_000)

/** Settles all deliveries of a webhook as delivered, and returns them in order. */
const taken = async (
  { webhooks }: StorePorts,
  { id: webhook }: Webhook,
): Promise<readonly WebhookDelivery[]> => {
  const deliveries: WebhookDelivery[] = []
  for (;;) {
    const delivery = await right(webhooks.next(webhook, far))
    if (delivery === undefined) return deliveries
    deliveries.push(delivery)
    await right(webhooks.settle({ _tag: 'delivered', webhook, id: delivery.id, at: start }))
  }
}

const eventsOf = (deliveries: readonly WebhookDelivery[]) => deliveries.map(({ event }) => event)

/** Makes the events of all standstills, also of other cases. */
const noteAll = async ({ importRuns }: StorePorts, second: number): Promise<void> => {
  while ((await right(importRuns.noteStandstills(after(second), 2))) > 0);
}

/** Webhooks, and the deliveries of changes of runs. */
export const webhookCases: readonly ContractCase<StorePorts>[] = [
  ...casesOf<StorePorts>(port, {
    'a webhook is found unchanged, and listed in order until it is removed': async (stores) => {
      const { webhooks } = stores
      const [one, two] = [freshCode('ORG'), freshCode('ORG')].sort() as [string, string]
      const previous = { secret: 'whsec_dHdv', endsAt: after(60) }
      const whole = aWebhook(two, {
        id: `A${freshId()}`,
        events: ['run.finished'],
        secrets: { current: 'whsec_b25l', previous },
        disabledAt: after(3),
        latestDeliveryAt: after(1),
        latestFailure: { code: 'http_410', occurredAt: after(2.125) },
        failingSince: after(1.5),
      })
      const last = aWebhook(two, { id: `B${freshId()}` })
      const first = aWebhook(one)
      for (const each of [last, whole, first]) await added(stores, each)
      equal(await right(webhooks.find(whole.id)), whole)
      equal(await right(webhooks.find(freshId())), undefined)
      const listed = (await right(webhooks.list())).filter(({ organisation }) =>
        [one, two].includes(organisation),
      )
      equal(listed, [first, whole, last])
      equal(await right(webhooks.remove(whole.id)), true)
      equal(await right(webhooks.remove(whole.id)), false)
      equal(await right(webhooks.find(whole.id)), undefined)
    },
    'secrets are changed, and nothing else of the webhook': async (stores) => {
      const webhook = await added(stores, aWebhook(freshCode('ORG')))
      const secrets = { current: 'whsec_bmV3', previous: { secret: 'whsec_b25l', endsAt: after(9) } }
      const change = (id: string, known: WebhookSecrets, changed: WebhookSecrets) =>
        right(stores.webhooks.changeSecrets(id, known, changed))
      equal(await change(webhook.id, webhook.secrets, secrets), true)
      equal(await right(stores.webhooks.find(webhook.id)), { ...webhook, secrets })
      const again = { current: 'whsec_b3Ro', previous: undefined }
      equal(await change(webhook.id, webhook.secrets, again), false)
      equal(await change(webhook.id, secrets, again), true)
      equal(await right(stores.webhooks.find(webhook.id)), { ...webhook, secrets: again })
      equal(await change(freshId(), secrets, again), false)
    },
    'exactly one of many concurrent changes of the same secrets succeeds, and the others return false':
      async (stores) => {
        const { id, secrets: known } = await added(stores, aWebhook(freshCode('ORG')))
        const changed = ['whsec_YQ==', 'whsec_Yg==', 'whsec_Yw==', 'whsec_ZA=='].map((current) => ({
          current,
          previous: { secret: known.current, endsAt: after(9) },
        }))
        const are = await Promise.all(
          changed.map((secrets) => right(stores.webhooks.changeSecrets(id, known, secrets))),
        )
        equal(are.filter(Boolean).length, 1)
        equal((await right(stores.webhooks.find(id)))?.secrets, changed[are.indexOf(true)])
      },
    'opening and finishing a run make one event for each webhook of its organisation with that event': async (
      stores,
    ) => {
      const supplier = await freshSupplier(stores)
      const { organisation } = supplier
      const all = await added(stores, aWebhook(organisation))
      const some = await added(stores, aWebhook(organisation, { events: ['run.finished'] }))
      const off = await added(stores, aWebhook(organisation, { disabledAt: start }))
      const other = await added(stores, aWebhook(freshCode('ORG')))
      const source = { name: 'a.ndjson', sha256: 'ab'.repeat(32) }
      const run = await openRun(stores, supplier, { source })
      await openRun(stores, supplier, { source, startedAt: after(5), latestRequestAt: after(5) })
      for (const second of [20, 30])
        await right(stores.importRuns.finish(organisation, run.id, after(second)))
      const started = { webhook: all.id, event: 'run.started', importRun: run.id, attempts: 0 }
      equal(await taken(stores, all), [
        { ...started, id: `msg_${run.id}_running`, occurredAt: start, dueAt: start },
        {
          ...started,
          id: `msg_${run.id}_finished`,
          event: 'run.finished',
          occurredAt: after(20),
          dueAt: after(20),
        },
      ])
      equal(eventsOf(await taken(stores, some)), ['run.finished'])
      for (const none of [off, other]) equal(await taken(stores, none), [])
    },
    'concurrent calls that open or finish a run make one event': async (stores) => {
      const supplier = await freshSupplier(stores)
      const webhook = await added(stores, aWebhook(supplier.organisation))
      const source = { name: 'b.ndjson', sha256: 'cd'.repeat(32) }
      const runs = await Promise.all(Array.from({ length: 5 }, () => openRun(stores, supplier, { source })))
      const [run] = runs as [ImportRun]
      equal(new Set(runs.map(({ id }) => id)).size, 1)
      const finish = () => right(stores.importRuns.finish(supplier.organisation, run.id, after(9)))
      await Promise.all(Array.from({ length: 5 }, finish))
      equal(eventsOf(await taken(stores, webhook)), ['run.started', 'run.finished'])
    },
  }),
  ...casesOf<StorePorts>(
    port,
    {
      'an interruption makes one event, and a further one after the run was resumed': async (stores) => {
        const { importRuns } = stores
        const supplier = await freshSupplier(stores)
        const { organisation } = supplier
        const webhook = await added(stores, aWebhook(organisation, { events: ['run.interrupted'] }))
        await noteAll(stores, 0)
        const [run, done] = [await openRun(stores, supplier), await openRun(stores, supplier)]
        await right(importRuns.finish(organisation, done.id, after(1)))
        await noteAll(stores, 0)
        equal(await taken(stores, webhook), [])
        await Promise.all([noteAll(stores, 1), noteAll(stores, 1)])
        await right(importRuns.touch(organisation, run.id, after(700.5), false))
        await noteAll(stores, 700.5)
        await noteAll(stores, 701)
        const idAt = (second: number) => `msg_${run.id}_interrupted_${millisecondsOf(after(second))}`
        const expected = { webhook: webhook.id, event: 'run.interrupted', importRun: run.id, attempts: 0 }
        equal(await taken(stores, webhook), [
          { ...expected, id: idAt(0), occurredAt: after(600), dueAt: after(600) },
          { ...expected, id: idAt(700.5), occurredAt: after(1300.5), dueAt: after(1300.5) },
        ])
        const resumed = { latestRequestAt: after(700.5), latestProgressAt: after(700.5) }
        equal(await right(importRuns.find(organisation, run.id)), { ...run, ...resumed })
        await right(importRuns.finish(organisation, run.id, after(800)))
        await noteAll(stores, 900)
        equal(await taken(stores, webhook), [])
      },
      'a stall makes one event, a further one after progress, and an interruption after either': async (
        stores,
      ) => {
        const { importRuns } = stores
        const supplier = await freshSupplier(stores)
        const { organisation } = supplier
        const webhook = await added(
          stores,
          aWebhook(organisation, { events: ['run.stalled', 'run.interrupted'] }),
        )
        const run = await openRun(stores, supplier)
        const touch = (second: number, isProgress: boolean) =>
          right(importRuns.touch(organisation, run.id, after(second), isProgress))
        const times = async () => {
          const found = await right(importRuns.find(organisation, run.id))
          return [found?.latestRequestAt, found?.latestProgressAt]
        }
        await touch(300, false)
        await noteAll(stores, 0)
        await Promise.all([noteAll(stores, 1), noteAll(stores, 1)])
        await touch(600, false)
        equal(await times(), [after(600), start])
        await noteAll(stores, 301)
        await touch(650, true)
        await touch(700, false)
        await noteAll(stores, 650)
        await noteAll(stores, 651)
        await noteAll(stores, 700)
        await Promise.all([noteAll(stores, 701), noteAll(stores, 701)])
        await touch(1301, false)
        equal(await times(), [after(1301), after(1301)])
        await touch(1800, false)
        await touch(1700, true)
        await touch(1600, true)
        equal(await times(), [after(1800), after(1700)])
        await noteAll(stores, 1700)
        await noteAll(stores, 1701)
        await right(importRuns.finish(organisation, run.id, after(3000)))
        equal(await times(), [after(3000), after(1700)])
        await noteAll(stores, 5000)
        const expected = (name: string, second: number) => [
          `msg_${run.id}_${name}_${millisecondsOf(after(second))}`,
          `run.${name}`,
          after(second + 600),
        ]
        equal(
          (await taken(stores, webhook)).map(({ id, event, occurredAt }) => [id, event, occurredAt]),
          [
            expected('stalled', 0),
            expected('stalled', 650),
            expected('interrupted', 700),
            expected('stalled', 1700),
          ],
        )
      },
    },
    'alone',
  ),
  ...casesOf<StorePorts>(port, {
    'due deliveries are in the order of their events, and a deferred delivery follows when it is due again':
      async (stores) => {
        const { webhooks, importRuns } = stores
        const supplier = await freshSupplier(stores)
        const webhook = await added(stores, aWebhook(supplier.organisation))
        const { id } = webhook
        const run = await openRun(stores, supplier)
        await right(importRuns.finish(supplier.organisation, run.id, start))
        const dueIds = async (second: number) =>
          (await right(webhooks.due(after(second), 1000))).filter((each) => each === id)
        equal(await dueIds(-1), [])
        equal(await dueIds(0), [id])
        equal(await right(webhooks.next(id, after(-1))), undefined)
        const first = await right(webhooks.next(id, start))
        equal(first?.event, 'run.started')
        const failed = { webhook: id, id: first?.id ?? '', at: after(1), code: 'http_503' }
        await right(webhooks.settle({ _tag: 'deferred', ...failed, dueAt: after(10.5) }))
        const second = await right(webhooks.next(id, after(10)))
        equal(second?.event, 'run.finished')
        await right(webhooks.settle({ _tag: 'delivered', webhook: id, id: second?.id ?? '', at: after(2) }))
        equal(await dueIds(10), [])
        equal(await right(webhooks.next(id, after(10.5))), { ...first, dueAt: after(10.5), attempts: 1 })
        await right(webhooks.settle({ _tag: 'deferred', ...failed, at: after(11), dueAt: after(12) }))
        await right(webhooks.settle({ _tag: 'given_up', ...failed, at: after(12), code: 'time' }))
        equal(await dueIds(99), [])
        await right(webhooks.settle({ _tag: 'delivered', webhook: freshId(), id: 'none', at: after(12) }))
        equal(await right(webhooks.find(id)), {
          ...webhook,
          latestDeliveryAt: after(2),
          latestFailure: { code: 'time', occurredAt: after(12) },
          failingSince: after(11),
        })
      },
    'a webhook is failing since its first failure, and since a new one after a day without an attempt':
      async (stores) => {
        const supplier = await freshSupplier(stores)
        const { id } = await added(stores, aWebhook(supplier.organisation))
        await openRun(stores, supplier)
        const first = (await right(stores.webhooks.next(id, start)))?.id ?? ''
        const failsAt = async (second: number) => {
          const at = after(second)
          await right(
            stores.webhooks.settle({ _tag: 'deferred', webhook: id, id: first, at, code: 'time', dueAt: at }),
          )
          return (await right(stores.webhooks.find(id)))?.failingSince
        }
        equal(await failsAt(1), after(1))
        equal(await failsAt(86_401), after(1))
        equal(await failsAt(172_802), after(172_802))
      },
    'a webhook that is removed while runs are opened has no deliveries afterwards': async (stores) => {
      const supplier = await freshSupplier(stores)
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const webhook = await added(stores, aWebhook(supplier.organisation))
        const opening = Array.from({ length: 8 }, () => openRun(stores, supplier))
        await Promise.all([...opening, right(stores.webhooks.remove(webhook.id))])
        equal(await right(stores.webhooks.next(webhook.id, far)), undefined)
      }
    },
    'an unknown or removed webhook has no deliveries': async (stores) => {
      const supplier = await freshSupplier(stores)
      const [gone, removed, left] = [
        await added(stores, aWebhook(supplier.organisation)),
        await added(stores, aWebhook(supplier.organisation)),
        await added(stores, aWebhook(supplier.organisation)),
      ] as const
      await openRun(stores, supplier)
      await right(stores.webhooks.settle({ _tag: 'gone', webhook: gone.id, at: after(3), code: 'http_410' }))
      equal(await right(stores.webhooks.remove(removed.id)), true)
      equal(await right(stores.webhooks.find(gone.id)), {
        ...gone,
        disabledAt: after(3),
        latestFailure: { code: 'http_410', occurredAt: after(3) },
        failingSince: after(3),
      })
      await openRun(stores, supplier)
      for (const none of [gone, removed]) equal(await taken(stores, none), [])
      equal((await taken(stores, left)).length, 2)
    },
  }),
]
