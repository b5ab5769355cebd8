import test from 'ava'
import { portFailure, type PortFailure, type PortResult, type Ports } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import {
  type BackgroundOptions,
  type BackgroundUseCases,
  type ChoreFailure,
  startBackgroundWork,
} from '@account-import/core/background'
import { failing, inMemoryPorts } from '@account-import/core/in-memory'
import { setTimeout } from 'node:timers/promises'
import { once } from '../support/once.js'
import {
  changed,
  claimElsewhere,
  keyOf,
  left,
  organisation,
  processing,
  refusalOf,
  right,
  sample,
  service,
} from './support/service.js'

const start = (changed: Partial<BackgroundUseCases>, options: BackgroundOptions = {}) =>
  startBackgroundWork(
    { ...makeUseCases(inMemoryPorts()), ...changed },
    { everyMilliseconds: 5, sealingMilliseconds: 5, ...options },
  )

const away = (): PortFailure => portFailure('unavailable', 'idempotencyRecords', 'forget', new Error('away'))

/** A store with this number of expired records; the first calls fail if the test sets that. */
const storeOf = (expired: number, failures = 0) => {
  const store = { left: expired, limits: [] as number[], empty: once() }
  let failing = failures
  const forget = async (limit: number): PortResult<number> => {
    store.limits.push(limit)
    if (failing > 0) {
      failing -= 1
      return E.left(away())
    }
    const forgotten = Math.min(limit, store.left)
    store.left -= forgotten
    if (forgotten < limit) store.empty.happen()
    return E.right(forgotten)
  }
  return { store, forget }
}

const none = ({ chore }: ChoreFailure): never => {
  throw new Error(`${chore} failed`)
}

test('expired rows are removed a batch at a time, and later ones too, until the work is stopped', async (t) => {
  const { store, forget } = storeOf(1200)
  const work = start({ forgetAnswers: forget }, { onFailure: none })
  await store.empty.happened
  t.is(store.left, 0)
  t.deepEqual(store.limits.slice(0, 3), [500, 500, 500])
  store.left = 5
  while (store.left > 0) await setTimeout(1)
  await work.stop()
  const { length } = store.limits
  await setTimeout(30)
  t.is(store.limits.length, length, 'it goes on after it was stopped')
})

test('every background job runs without a schedule of the host', async (t) => {
  const ran = new Set<string>()
  const all = once()
  const noting =
    <A>(name: string, value: A): (() => PortResult<A>) =>
    async () => {
      ran.add(name)
      if (ran.size === 7) all.happen()
      return E.right(value)
    }
  const { audit, emails, webhooks } = makeUseCases(inMemoryPorts())
  const work = start(
    {
      audit: { ...audit, seal: noting('audit', { events: 0, more: true }) },
      emails: { ...emails, canSend: true, claimDue: noting('emails', []) },
      forgetAnswers: noting('idempotency_records', 0),
      noteKeyUses: noting('api_key_uses', 0),
      removeDuePayloads: noting('staged_data', 0),
      webhooks: {
        ...webhooks,
        canSend: true,
        noteStandstills: noting('interrupted', 0),
        due: noting('webhooks', []),
      },
    },
    { webhooksMilliseconds: 5, onFailure: none },
  )
  await all.happened
  await work.stop()
  t.is(ran.size, 7)
})

test.serial(
  'a failure or exception is reported, and the job is tried again, also when the report throws',
  async (t) => {
    const { store, forget } = storeOf(5, 1)
    const printed: string[] = []
    const print = console.error
    console.error = (line: string) => printed.push(line)
    t.teardown(() => (console.error = print))
    let thrown = false
    const told: ChoreFailure[] = []
    const work = start(
      {
        forgetAnswers: async (limit) => {
          if (thrown) return forget(limit)
          thrown = true
          throw new Error('against its word')
        },
      },
      {
        onFailure: (failed) => {
          told.push(failed)
          throw new Error('a log that is away')
        },
      },
    )
    await store.empty.happened
    await work.stop()
    t.is(store.left, 0)
    t.deepEqual(
      told.map(({ chore, failure: { kind } }) => [chore, kind]),
      [
        ['idempotency_records', 'unexpected'],
        ['idempotency_records', 'unavailable'],
      ],
    )
    const operations = printed.map((line) => (JSON.parse(line) as ChoreFailure['failure']).operation)
    t.deepEqual(
      operations,
      ['run', 'onFailure', 'forget', 'onFailure'],
      'what the log did not take is printed',
    )
  },
)

test('a job never runs twice at one time, and stopping waits for a run in progress', async (t) => {
  const [begun, go] = [once(), once()]
  let [now, most, runs] = [0, 0, 0]
  const work = start(
    {
      removeDuePayloads: async () => {
        now += 1
        runs += 1
        most = Math.max(most, now)
        begun.happen()
        await go.happened
        now -= 1
        return E.right(0)
      },
    },
    { onFailure: none },
  )
  await begun.happened
  await setTimeout(30)
  let stopped = false
  const stopping = work.stop().then(() => (stopped = true))
  await setTimeout(10)
  t.false(stopped)
  go.happen()
  await stopping
  t.deepEqual([now, most, runs], [0, 1, 1])
})

test('stopping waits for no pause, and stores the uses of keys after the last request', async (t) => {
  const requests = once()
  let [ended, notedAfter] = [false, false]
  const work = start(
    {
      noteKeyUses: async () => {
        notedAfter = ended
        return E.right(1)
      },
    },
    { everyMilliseconds: 3_600_000, sealingMilliseconds: 3_600_000, onFailure: none },
  )
  const stopping = work.stop(1000, requests.happened)
  ended = true
  requests.happen()
  await stopping
  t.true(notedAfter)
})

const day = 86_400

const gas = (number: string, supplier = 'LEVANTE') => ({
  organisation,
  payload: { ...sample('gas-account'), external_account_number: number, import_supplier: supplier },
})

/**
 * A service with created accounts, a day after each other, and S-1 that is staged. `yours`: the platform's own store,
 * which keeps the details of accounts, unless another is given.
 */
const withAccounts = async (yours: Partial<Ports['accounts']> = { keepsDetails: true }) => {
  const inner = await service()
  const ports = changed(inner.ports, 'accounts', yours)
  const { clock } = inner
  const useCases = makeUseCases(ports)
  const keep = (retentionDays: number | undefined, code = 'LEVANTE') =>
    right(
      useCases.operator.configureSupplier({
        code,
        change: ({ retentionDays: _kept, ...settings }) => ({
          ...settings,
          ...(retentionDays !== undefined && { retentionDays }),
        }),
      }),
    )
  const create = async (number: string, supplier = 'LEVANTE') => {
    await right(useCases.stageAccount(gas(number, supplier)))
    const named = { external_account_number: number, import_supplier_code: supplier }
    await right(processing(useCases, { ...named }))
  }
  await create('A-1')
  clock.pass(day)
  await create('A-2')
  await right(useCases.stageAccount(gas('S-1')))
  const staged = async (...numbers: readonly string[]) => {
    const found = await Promise.all(
      numbers.map((number) => right(ports.accountImports.staged([keyOf(number)]))),
    )
    return found.map(([each]) => each !== undefined)
  }
  return { clock, ports, useCases, keep, create, staged }
}

test('staged data of created accounts is removed after its retention days, not before', async (t) => {
  const { clock, useCases, keep, staged } = await withAccounts()
  t.is(await right(useCases.removeDuePayloads(10)), 0, 'it is kept for ever')
  await keep(3)
  clock.pass(2 * day - 1)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
  clock.pass(1)
  t.is(await right(useCases.removeDuePayloads(10)), 1)
  t.deepEqual(await staged('A-1', 'A-2', 'S-1'), [false, true, true])
  clock.pass(day)
  t.is(await right(useCases.removeDuePayloads(10)), 1)
  clock.pass(1000 * day)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
  t.deepEqual(await staged('A-1', 'A-2', 'S-1'), [false, false, true])
})

test('staged data is not removed when it is the account, and failures of runs are', async (t) => {
  const { clock, ports, useCases, keep, staged } = await withAccounts({})
  const run = await right(useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }))
  const wrong = { ...gas('W-1').payload, account_type: 'NONE' }
  await left(useCases.stageAccount({ organisation, payload: wrong, importRun: { id: run.id } }))
  const failures = async () =>
    (await right(useCases.importRunFailures({ organisation, id: run.id, after: undefined, limit: 10 }))).items
      .length
  t.is(await failures(), 1)
  await keep(0)
  clock.pass(1000 * day)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
  t.deepEqual(await staged('A-1', 'A-2', 'S-1'), [true, true, true])
  t.is(await failures(), 0)
  t.is((await right(ports.accounts.find(keyOf('A-1'))))?.details.account_type, 'DOMESTIC')
})

test('a limit applies to all suppliers together, and each has retention days of its own', async (t) => {
  const { useCases, keep, create, ports } = await withAccounts()
  await right(useCases.operator.createSupplier({ code: 'PONIENTE', organisation }))
  await right(useCases.operator.createSupplier({ code: 'ARCHIVE', organisation }))
  await create('B-1', 'PONIENTE')
  await create('C-1', 'ARCHIVE')
  await keep(0)
  await keep(0, 'PONIENTE')
  t.is(await right(useCases.removeDuePayloads(2)), 2)
  t.is(await right(useCases.removeDuePayloads(2)), 1)
  t.is(await right(useCases.removeDuePayloads(2)), 0)
  t.is(
    (await right(ports.accountImports.staged([{ ...keyOf('C-1'), importSupplier: 'ARCHIVE' }])))[0]?.version,
    1,
  )
})

test('one server removes staged data, and another one when it has not done so for five minutes', async (t) => {
  const { clock, ports, useCases, keep, create } = await withAccounts()
  const other = makeUseCases(ports)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
  await keep(0)
  clock.pass(299)
  t.is(await right(other.removeDuePayloads(10)), 0)
  t.is(await right(useCases.removeDuePayloads(10)), 2)
  await create('A-3')
  clock.pass(299)
  t.is(await right(other.removeDuePayloads(10)), 0)
  clock.pass(1)
  t.is(await right(other.removeDuePayloads(10)), 1)
  t.is(await right(useCases.removeDuePayloads(10)), 0)
})

test('a failure of the store is reported, and the next run continues', async (t) => {
  const { keep, useCases, ports } = await withAccounts()
  await keep(0)
  const broken = makeUseCases({ ...ports, personalData: failing(ports.personalData, 'removePayloads') })
  t.is(await refusalOf(broken.removeDuePayloads(10)), 'PortFailure')
  t.is(await right(useCases.removeDuePayloads(10)), 0, 'it is the turn of the other one')
})

test('lists, summary and status do not change when staged data is removed', async (t) => {
  const { useCases, keep, staged } = await withAccounts()
  const list = { organisation, importSupplier: 'LEVANTE' }
  const seen = async () => [
    await right(useCases.accountImportSummary(list)),
    await right(useCases.accountImportsPage({ ...list, list: 'all', after: undefined, limit: 10 })),
    await right(useCases.transferStatus(keyOf('A-1'))),
    await right(useCases.operator.showAccount(keyOf('A-1'))),
  ]
  const before = await seen()
  await keep(0)
  t.is(await right(useCases.removeDuePayloads(10)), 2, 'with no days it is removed at once')
  t.deepEqual(await staged('A-1', 'A-2', 'S-1'), [false, false, true])
  t.deepEqual(await seen(), before)
  t.like(await left(useCases.stageAccount(gas('A-1'))), { _tag: 'AccountAlreadyImported' })
})

test('an erasure refuses accounts in progress, e-mails in progress and unknown accounts', async (t) => {
  const { useCases, ports, clock } = await withAccounts()
  await claimElsewhere(ports, keyOf('S-1'))
  t.like(await left(useCases.operator.eraseSubject(keyOf('S-1'))), { _tag: 'AccountImportInProgress' })
  t.like(await left(useCases.operator.eraseSubject(keyOf('NOBODY'))), { _tag: 'DoesNotExist' })
  t.like(await left(useCases.operator.eraseSubject({ ...keyOf('A-1'), importSupplier: 'NOBODY' })), {
    _tag: 'DoesNotExist',
  })
  t.like(await left(useCases.operator.exportSubject(keyOf('NOBODY'))), { _tag: 'DoesNotExist' })
  t.like(await left(useCases.operator.previewErasure(keyOf('NOBODY'))), { _tag: 'DoesNotExist' })
  const email = {
    id: 'e',
    key: keyOf('A-1'),
    platformAccountNumber: 'P',
    language: 'es',
    enqueuedAt: clock.now(),
  }
  await right(ports.unitOfWork.run('ACME', ({ outbox }) => outbox.enqueue([email])))
  await right(useCases.emails.claimDue(1))
  t.like(await left(useCases.operator.eraseSubject(keyOf('A-1'))), { _tag: 'EmailIsBeingSent' })
})
