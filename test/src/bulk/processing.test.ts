import { setTimeout as delay } from 'node:timers/promises'
import { defaultServiceSettings, instantOf, millisecondsOf, type Ports } from '@account-import/core'
import { failing, inMemoryStorePorts } from '@account-import/core/in-memory'
import test from 'ava'
import { answer } from '../support/answers.js'
import { exchangeBulk, openBulk, wholeAnswer } from '../support/bulk-exchange.js'
import { lineOf, openBulkWorld, type BulkWorld } from './support/bulk-world.js'

const stage = async (world: BulkWorld, count: number): Promise<void> => {
  const lines = Array.from({ length: count }, (_, index) => lineOf(world, `N-${index}`))
  const { summary } = await exchangeBulk('bulkStage', world.sending, lines.join(''))
  if (summary?.created !== count) throw new Error(`staged: ${JSON.stringify(summary)}`)
}

const allOf = ({ supplier, team }: BulkWorld): string =>
  JSON.stringify({ import_supplier_code: supplier, operations_team_name: team })

const summaryOf = ({ stores, organisation, supplier, clock }: BulkWorld) =>
  answer(stores.accountImports.summary(organisation, supplier, clock.now()))

/** The summary when nothing has changed for a second. */
const settled = async (world: BulkWorld): ReturnType<typeof summaryOf> => {
  for (let before = await summaryOf(world); ;) {
    await delay(1000)
    const now = await summaryOf(world)
    if (now.created === before.created) return now
    before = now
  }
}

/** Stores whose claims take a while. */
const slowStores = (milliseconds: number): Partial<Ports> => {
  const stores = inMemoryStorePorts()
  const claim: Ports['accountImports']['claim'] = (requests, limit) => async () => {
    await delay(milliseconds)
    return stores.accountImports.claim(requests, limit)()
  }
  return { ...stores, accountImports: { ...stores.accountImports, claim } }
}

const openSlowWorld = async (t: Parameters<typeof openBulkWorld>[0], milliseconds: number) => {
  const ports = slowStores(milliseconds)
  const world = await openBulkWorld(t, { ports })
  return { ...world, stores: { ...world.stores, ...ports } }
}

test('where accounts in processing are limited, each waits for its turn and none fails', async (t) => {
  const settings = { ...defaultServiceSettings, processingConcurrencyLimit: 2 }
  const world = await openBulkWorld(t, { ports: { settings } })
  await stage(world, 20)
  const runs = await Promise.all(
    [1, 2, 3].map(() => exchangeBulk('bulkProcess', world.sending, allOf(world))),
  )
  t.is(
    runs.reduce((sum, { summary }) => sum + (summary?.created ?? 0), 0),
    20,
  )
  t.deepEqual(
    runs.map(({ summary }) => summary?.failed),
    [0, 0, 0],
  )
})

test('after the client has gone no account is begun, and those that were begun are whole', async (t) => {
  const world = await openSlowWorld(t, 30)
  await stage(world, 500)
  const { sending, answer: response } = openBulk('bulkProcess', world.sending)
  sending.end(allOf(world))
  await (await response)[Symbol.asyncIterator]().next()
  sending.destroy()
  const { created, inProgress } = await settled(world)
  t.true(created > 0 && created <= 256, `${created} created`)
  t.is(inProgress, 0)
  const { summary } = await exchangeBulk('bulkProcess', world.sending, allOf(world))
  t.deepEqual(summary, { received: 500 - created, created: 500 - created, failed: 0 })
})

test('without a list a run ends early, and says why, once the supplier is paused', async (t) => {
  const world = await openSlowWorld(t, 10)
  await stage(world, 500)
  const { sending, answer: response } = openBulk('bulkProcess', world.sending)
  sending.end(allOf(world))
  const coming = await response
  await world.operator.setSupplierStatus({ code: world.supplier, status: 'paused' })()
  const { results, summary } = await wholeAnswer(coming)
  t.true((summary?.received ?? 500) < 500)
  t.deepEqual(
    new Set(results.map((result) => result.error?.code)),
    new Set([undefined, 'import_supplier_migration_not_ongoing']),
  )
  t.is(summary?.created, (await summaryOf(world)).created)
})

test('what a server that died had claimed is taken over by the next run, once its claims have expired', async (t) => {
  const world = await openBulkWorld(t)
  await stage(world, 10)
  const { stores, key, clock } = world
  const at = clock.now()
  const expiresAt = instantOf(millisecondsOf(at) + 700)
  const claims = ['N-3', 'N-7'].map((number) => ({
    key: key(number),
    token: number,
    at,
    expiresAt,
    countsAsAttempt: true,
  }))
  await answer(stores.accountImports.claim(claims))
  const { results, summary } = await exchangeBulk('bulkProcess', world.sending, allOf(world))
  t.deepEqual(summary, { received: 10, created: 10, failed: 0 })
  const last = results.slice(8).map((result) => result.external_account_number)
  t.deepEqual(last.sort(), ['N-3', 'N-7'])
})

test('while the database is away lines fail with 503, and after 256 of them the answer is cut', async (t) => {
  const stores = inMemoryStorePorts()
  const once = failing(stores.accountImports, 'stage', { times: 3 })
  const world = await openBulkWorld(t, { ports: { ...stores, accountImports: once } })
  const linesFor = (one: BulkWorld): string =>
    Array.from({ length: 1000 }, (_, index) => lineOf(one, `N-${index}`)).join('')
  const shortly = await exchangeBulk('bulkStage', world.sending, linesFor(world))
  const failed = shortly.results.filter(({ status }) => status !== 201)
  t.deepEqual(
    failed.map(({ status, error }) => `${status} ${error?.code}`),
    Array<string>(3).fill('503 service_unavailable'),
  )
  t.deepEqual(shortly.summary, { received: 1000, created: 997, updated: 0, failed: 3 })
  const away = failing(stores.accountImports, 'stage')
  const broken = await openBulkWorld(t, { ports: { ...stores, accountImports: away } })
  const { results, summary } = await exchangeBulk('bulkStage', broken.sending, linesFor(broken))
  t.is(summary, undefined)
  t.true(results.length <= 512, `${results.length} lines`)
})
