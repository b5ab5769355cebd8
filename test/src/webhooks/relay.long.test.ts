import test, { type ExecutionContext } from 'ava'
import { createClient } from '@account-import/client'
import { instantOf } from '@account-import/core'
import { makeUseCases } from '@account-import/core/fp'
import { inMemoryPorts, inMemoryWebhookSender } from '@account-import/core/in-memory'
import { until } from '../servers/index.js'
import { answer } from '../support/answers.js'
import { availableBackends, onBackend } from '../support/on-backend.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { receiver, verified, withStatus } from './support/receiver.js'

const each = availableBackends()

/** A database for server processes, and a webhook on a receiver of this test. */
const openWorld = async (t: ExecutionContext, url: string) => {
  const settings = { WEBHOOK_PRIVATE_ADDRESSES: 'on', WEBHOOK_TIMEOUT_SECONDS: '1' }
  const database = await openSharedDatabase(url, settings)
  const { stores, organisation, supplier, environment, apiKey } = database
  const receiving = await receiver(t)
  const webhookSender = { ...inMemoryWebhookSender([]), takes: () => true }
  const { operator } = makeUseCases(inMemoryPorts({ ...stores, webhookSender }))
  const { secret, webhook } = await answer(operator.addWebhook({ organisation, url: receiving.url }))
  const open = async (address: string) => {
    const opened = await createClient({ baseUrl: address, apiKey }).openImportRun({
      import_supplier: supplier,
    })
    if (!opened.ok) throw new Error(opened.problem.code)
    return opened.body.id
  }
  const finish = async (address: string, id: string) => {
    const finished = await createClient({ baseUrl: address, apiKey }).finishImportRun(id)
    if (!finished.ok) throw new Error(finished.problem.code)
  }
  const start = () => startServerProcess(environment)
  const { received } = receiving
  const ids = () => received.map(({ headers }) => String(headers['webhook-id']))
  return { ...database, ...receiving, secret, id: webhook.id, open, finish, start, ids }
}

type World = Awaited<ReturnType<typeof openWorld>>

const on = (title: string, body: (t: ExecutionContext, world: World) => Promise<void>): void => {
  for (const backend of each)
    test.serial(`${title} (${backend})`, (t) =>
      onBackend[backend](async (url) => {
        const world = await openWorld(t, url)
        try {
          await body(t, world)
        } finally {
          await world.close()
        }
      }),
    )
}

on('two servers send each event once, one message at a time, those of a run in order', async (t, world) => {
  const { state, received, secret, ids, open, finish, start, supplier } = world
  const servers = await Promise.all([start(), start()])
  try {
    const runs = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { address } = servers[index % 2] ?? servers[0]
        const id = await open(address)
        await finish(address, id)
        return id
      }),
    )
    await until(async () => received.length >= 24, 'all are told')
    t.deepEqual(
      ids().toSorted(),
      runs.flatMap((id) => [`msg_${id}_finished`, `msg_${id}_running`]).toSorted(),
    )
    for (const id of runs) t.true(ids().indexOf(`msg_${id}_running`) < ids().indexOf(`msg_${id}_finished`))
    t.is(state.mostUnderWay, 1)
    for (const message of received) t.like(verified(secret, message).data, { import_supplier: supplier })
  } finally {
    for (const server of servers) t.is(await server.stop(), 0)
  }
  t.is(received.length, 24)
})

on('the deliveries of a server that was killed before them are made by the next one', async (t, world) => {
  const { state, secret, received, ids, open, finish, start } = world
  state.answer = () => undefined
  const first = await start()
  const id = await open(first.address)
  await until(async () => received.length === 1, 'the first message is under way')
  await finish(first.address, id)
  await first.kill()
  state.answer = withStatus(200)
  const second = await start()
  try {
    await until(async () => ids().includes(`msg_${id}_finished`), 'the end is told', 60_000)
    await until(
      async () => ids().filter((each) => each === `msg_${id}_running`).length === 2,
      'the start too',
    )
    for (const message of received) t.like(verified(secret, message).data, { import_run: id })
  } finally {
    t.is(await second.stop(), 0)
  }
})

on('a receiver that is gone is not called again, and one that fails is called again', async (t, world) => {
  const { state, stores, received, id, open, start } = world
  state.answer = withStatus(500)
  const server = await start()
  try {
    await open(server.address)
    await until(async () => received.length >= 2, 'it is tried again', 60_000)
    t.is(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
    state.answer = withStatus(410)
    await open(server.address)
    await until(
      async () => (await answer(stores.webhooks.find(id)))?.disabledAt !== undefined,
      'it is disabled',
    )
    const { length } = received
    await open(server.address)
    t.deepEqual(await answer(stores.webhooks.due(instantOf(Date.now() + 1e9), 10)), [])
    t.is(received.length, length)
  } finally {
    t.is(await server.stop(), 0)
  }
})
