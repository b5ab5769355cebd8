import test from 'ava'
import { portFailure, type Ports, type UseCases } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { plusSeconds } from '@account-import/core/testing'
import { failing, inMemoryStorePorts } from '@account-import/core/in-memory'
import { changed, left, organisation, right, sample } from './support/service.js'
import { delivered, failed, openRun, url, withWebhook } from './support/webhooks.js'

test('a run sends messages when it starts, stalls and ends, with counts, codes and fields only', async (t) => {
  const { useCases, clock, messages, id, secret } = await withWebhook()
  const run = await openRun(useCases)
  const { email: _email, ...account } = sample('gas-account')
  const stage = (payload: unknown) =>
    useCases.stageAccount({ organisation, payload, importRun: { id: run.id, firstLine: 1 } })
  await right(stage(account))
  await left(stage({ ...account, external_account_number: 'SECRET-1', customers: [] }))
  t.like(await delivered(useCases, id), [{ id: `msg_${run.id}_running`, outcome: 'delivered' }])
  t.is(await right(useCases.webhooks.noteStandstills(10)), 0)
  clock.pass(601)
  t.is(await right(useCases.webhooks.noteStandstills(10)), 1)
  t.deepEqual(await right(useCases.webhooks.due(10)), [id])
  await delivered(useCases, id)
  await right(useCases.finishImportRun({ organisation, id: run.id }))
  await delivered(useCases, id)
  t.deepEqual(await right(useCases.webhooks.due(10)), [])
  clock.pass(601)
  t.is(await right(useCases.webhooks.noteStandstills(10)), 0)
  const counts = { staged: 1, created: 0, failed: { stage: 1, process: 0 } }
  const errors = [{ step: 'stage', code: 'empty', field: 'customers', count: 1 }]
  const data = { import_run: run.id, import_supplier: 'LEVANTE', counts, errors }
  t.deepEqual(
    messages.map(({ body }) => JSON.parse(body) as unknown),
    [
      { type: 'run.started', timestamp: '2025-09-01T10:00:00Z', data: { ...data, state: 'running' } },
      { type: 'run.interrupted', timestamp: '2025-09-01T10:10:00Z', data: { ...data, state: 'interrupted' } },
      { type: 'run.finished', timestamp: '2025-09-01T10:10:01Z', data: { ...data, state: 'finished' } },
    ],
  )
  for (const message of messages) t.like(message, { url, secrets: [secret] })
})

test('a run without a settled account for ten minutes is stalled, once until one is settled', async (t) => {
  const { useCases, ports, clock, messages, id } = await withWebhook()
  const run = await openRun(useCases)
  const away = E.left(portFailure('unavailable', 'accountImports', 'stage', new Error('away')))
  const awayUseCases = makeUseCases(changed(ports, 'accountImports', { stage: async () => away }))
  const { email: _email, ...payload } = sample('gas-account')
  const stage = ({ stageAccount }: UseCases, more: object = {}) =>
    stageAccount({ organisation, payload: { ...payload, ...more }, importRun: { id: run.id } })
  const failFor = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      clock.pass(60)
      t.is((await left(stage(awayUseCases)))._tag, 'PortFailure')
    }
    return right(useCases.webhooks.noteStandstills(10))
  }
  t.is(await failFor(10), 0)
  t.is(await failFor(1), 1)
  t.is(await failFor(5), 0)
  await left(stage(useCases, { customers: [] }))
  const refusedAt = clock.now()
  t.is(await failFor(10), 0)
  const shownRun = await right(useCases.importRun({ organisation, id: run.id }))
  t.like(shownRun.run, { state: 'running', latestProgressAt: refusedAt, latestRequestAt: clock.now() })
  t.is(await failFor(1), 1)
  await right(stage(useCases))
  t.is(await failFor(10), 0)
  clock.pass(601)
  t.is(await right(useCases.webhooks.noteStandstills(10)), 1)
  await delivered(useCases, id)
  const told = messages.map(({ body }) => {
    const { type, timestamp, data } = JSON.parse(body) as Readonly<Record<string, string>> & { data: object }
    return [type, timestamp, 'state' in data && data.state]
  })
  t.deepEqual(told, [
    ['run.started', '2025-09-01T10:00:00Z', 'running'],
    ['run.stalled', '2025-09-01T10:10:00Z', 'running'],
    ['run.stalled', '2025-09-01T10:26:00Z', 'running'],
    ['run.interrupted', '2025-09-01T10:47:00Z', 'interrupted'],
  ])
})

test('a failed attempt is repeated under the same id, twelve times within a day, then given up', async (t) => {
  const { useCases, clock, messages, answer, id, shown } = await withWebhook()
  answer.next = failed('http_500')
  const began = clock.now()
  const run = await openRun(useCases)
  const outcomes: unknown[] = []
  for (let seconds = 0; seconds < 90_000; seconds += 5) {
    outcomes.push(...(await delivered(useCases, id)))
    clock.pass(5)
  }
  const outcome = { webhook: id, id: `msg_${run.id}_running`, code: 'http_500' }
  t.deepEqual(outcomes, [
    ...Array.from({ length: 11 }, () => ({ ...outcome, outcome: 'deferred' })),
    { ...outcome, outcome: 'given_up' },
  ])
  t.is(new Set(messages.map((message) => message.id)).size, 1)
  const last = messages.at(-1)?.at ?? began
  t.true(last > plusSeconds(began, 18 * 3600) && last < plusSeconds(began, 24 * 3600), last)
  t.like(await shown(), { disabledAt: undefined, latestFailure: { code: 'http_500', occurredAt: last } })
})

test('a receiver may set a longer pause, and a deferred message delays no later one', async (t) => {
  const { useCases, clock, messages, answer, id } = await withWebhook()
  const run = await openRun(useCases)
  answer.next = failed('http_503', 900)
  t.like(await delivered(useCases, id), [{ outcome: 'deferred', code: 'http_503' }])
  answer.next = { _tag: 'accepted', code: 'http_200' }
  await right(useCases.finishImportRun({ organisation, id: run.id }))
  clock.pass(899)
  t.like(await delivered(useCases, id), [{ id: `msg_${run.id}_finished` }])
  clock.pass(1)
  t.like(await delivered(useCases, id), [{ id: `msg_${run.id}_running` }])
  t.is(messages.length, 3)
})

test('the start of a run precedes other events of the same time', async (t) => {
  const { useCases, messages, id } = await withWebhook()
  for (let runs = 0; runs < 3; runs += 1) {
    const run = await openRun(useCases)
    await right(useCases.finishImportRun({ organisation, id: run.id }))
  }
  await delivered(useCases, id)
  const types = messages.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  t.deepEqual(types, [...Array<string>(3).fill('run.started'), ...Array<string>(3).fill('run.finished')])
})

test('a webhook that accepts nothing for five days is disabled when an event is given up', async (t) => {
  const { useCases, clock, answer, id, shown } = await withWebhook()
  const giveUp = async () => {
    for (let attempts = 0; attempts < 12; attempts += 1) {
      const outcomes = await delivered(useCases, id)
      if (attempts === 11) return outcomes
      clock.pass(7 * 3600)
    }
    return []
  }
  answer.next = failed('time')
  await openRun(useCases)
  t.like(await giveUp(), [{ outcome: 'given_up' }])
  answer.next = { _tag: 'accepted', code: 'http_200' }
  await openRun(useCases)
  t.like(await delivered(useCases, id), [{ outcome: 'delivered' }])
  answer.next = failed('http_500')
  const since = clock.now()
  await openRun(useCases)
  t.like(await giveUp(), [{ outcome: 'given_up' }])
  t.like(await shown(), { failingSince: since, disabledAt: undefined })
  await openRun(useCases)
  await openRun(useCases)
  t.like(await giveUp(), [{ outcome: 'disabled', code: 'http_500' }])
  t.like(await shown(), { disabledAt: clock.now(), latestFailure: { code: 'http_500' } })
  t.deepEqual(await right(useCases.webhooks.due(10)), [])
})

test('410 disables the webhook with its code, and nothing is sent afterwards', async (t) => {
  const { useCases, clock, messages, answer, id, shown } = await withWebhook()
  answer.next = { _tag: 'gone', code: 'http_410' }
  await openRun(useCases)
  await openRun(useCases)
  t.like(await delivered(useCases, id), [{ outcome: 'disabled', code: 'http_410' }])
  t.like(await shown(), {
    disabledAt: clock.now(),
    latestFailure: { code: 'http_410', occurredAt: clock.now() },
    origin: 'https://hooks.example',
  })
  await openRun(useCases)
  t.deepEqual(await right(useCases.webhooks.due(10)), [])
  t.is(messages.length, 1)
})

test('events of a disabled or removed webhook are not sent, and leave the queue', async (t) => {
  const stores = inMemoryStorePorts()
  const { useCases, ports, messages, id } = await withWebhook(stores)
  await openRun(useCases)
  const found = await right(stores.webhooks.find(id))
  const asDisabled = changed(ports, 'webhooks', {
    find: async () => E.right(found && { ...found, disabledAt: found.createdAt }),
  })
  t.like(await delivered(makeUseCases(asDisabled), id), [{ outcome: 'given_up', code: 'disabled' }])
  await openRun(useCases)
  const asRemoved = changed(ports, 'webhooks', { find: async () => E.right(undefined) })
  t.deepEqual(await delivered(makeUseCases(asRemoved), id), [])
  t.deepEqual([await right(useCases.webhooks.due(10)), messages], [[], []])
})

test('an event of a removed run is given up', async (t) => {
  const { useCases, ports, id } = await withWebhook()
  await openRun(useCases)
  const withoutRun = changed(ports, 'importRuns', { find: async () => E.right(undefined) })
  t.like(await delivered(makeUseCases(withoutRun), id), [
    { outcome: 'given_up', code: 'import_run_does_not_exist' },
  ])
})

test('one relay at a time sends a message, and another one after the end of the lease', async (t) => {
  const stores = inMemoryStorePorts()
  const { useCases, ports, clock, messages, id } = await withWebhook(stores)
  await openRun(useCases)
  const relays = Array.from({ length: 5 }, () => delivered(makeUseCases(ports), id))
  t.is((await Promise.all(relays)).flat().length, 1)
  await openRun(useCases)
  const at = clock.now()
  const job = `webhook ${id}`
  t.true(await right(stores.leases.take({ job, token: 'dead', at, endsAt: plusSeconds(at, 35) })))
  t.deepEqual(await delivered(useCases, id), [])
  clock.pass(35)
  t.is((await delivered(useCases, id)).length, 1)
  t.is(messages.length, 2)
})

test('a message that is cut off counts as no attempt, and is sent again', async (t) => {
  const { useCases, id, messages } = await withWebhook()
  await openRun(useCases)
  t.like(await delivered(useCases, id, AbortSignal.abort()), [{ outcome: 'stopped', code: undefined }])
  t.is(messages.length, 0)
  t.like(await delivered(useCases, id), [{ outcome: 'delivered' }])
})

test('an outcome that cannot be stored is stored at the second attempt, and the message is sent again when that fails too', async (t) => {
  const { useCases, ports, id, messages } = await withWebhook()
  await openRun(useCases)
  const failingTwice = { ...ports, webhooks: failing(ports.webhooks, 'settle', { times: 2 }) }
  t.deepEqual(await delivered(makeUseCases(failingTwice), id), ['failed'])
  const failingOnce = { ...ports, webhooks: failing(ports.webhooks, 'settle', { times: 1 }) }
  t.like(await delivered(makeUseCases(failingOnce), id), [{ outcome: 'delivered' }])
  t.deepEqual([messages.length, new Set(messages.map((message) => message.id)).size], [2, 1])
})

test('a failing store ends the delivery, which continues later and delays no other', async (t) => {
  const { useCases, ports, clock, id, shown } = await withWebhook()
  const run = await openRun(useCases)
  const away = E.left(portFailure('unavailable', 'importRuns', 'counts', new Error('away')))
  const counts: Ports['importRuns']['counts'] = async (of) =>
    of.id === run.id ? away : ports.importRuns.counts(of)
  const withoutCounts = makeUseCases(changed(ports, 'importRuns', { counts }))
  t.deepEqual(await delivered(withoutCounts, id), ['failed'])
  t.like(await shown(), { latestFailure: { code: 'store' } })
  const without = {
    ...changed(ports, 'importRuns', { counts }),
    webhooks: failing(ports.webhooks, 'settle'),
  }
  const other = await openRun(useCases)
  t.like(await delivered(withoutCounts, id), [{ id: `msg_${other.id}_running`, outcome: 'delivered' }])
  clock.pass(6)
  t.deepEqual(await delivered(makeUseCases(without), id), ['failed'])
  t.like(await delivered(useCases, id), [{ id: `msg_${run.id}_running`, outcome: 'delivered' }])
})
