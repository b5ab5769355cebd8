import type { BulkLine, Ports } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import test from 'ava'
import {
  away,
  bulk,
  countsOf,
  failuresOf,
  least,
  open,
  outcomesOf,
  process,
  source,
  stage,
  tag,
  withoutCustomers,
  withRuns,
} from './support/runs.js'
import { changed, claimElsewhere, keyOf, left, organisation, right, service } from './support/service.js'

test('a run is opened once for a source, shows its opener, and ends when it is finished', async (t) => {
  const { useCases, clock } = await service()
  const run = await open(useCases, { source, label: 'Rehearsal' })
  t.like(run, { isNew: true, state: 'running', startedBy: 'key k1', label: 'Rehearsal', source })
  t.regex(run.id, /^[A-Za-z0-9]{22}$/)
  clock.pass(600)
  t.is((await right(useCases.importRun({ organisation, id: run.id }))).run.state, 'running')
  clock.pass(1)
  t.is((await right(useCases.importRun({ organisation, id: run.id }))).run.state, 'interrupted')
  const again = await open(useCases, { source })
  t.like(again, { id: run.id, isNew: false, state: 'running' })
  t.deepEqual(await open(useCases, { source }), again)
  const finished = await right(useCases.finishImportRun({ organisation, id: run.id }))
  t.is(finished.state, 'finished')
  t.deepEqual(await right(useCases.finishImportRun({ organisation, id: run.id })), finished)
  t.true((await open(useCases, { source })).isNew)
})

test('an unknown run, one of another organisation, and a missing supplier are refused', async (t) => {
  const { useCases } = await service()
  const { id } = await open(useCases)
  await right(useCases.operator.createOrganisation({ code: 'OTHER' }))
  for (const request of [
    { organisation, id: 'nothing' },
    { organisation: 'OTHER', id },
  ]) {
    t.is(tag(await left(useCases.importRun(request))), 'ImportRunDoesNotExist')
    t.is(tag(await left(useCases.finishImportRun(request))), 'ImportRunDoesNotExist')
    const page = { ...request, after: undefined, limit: 10 }
    t.is(tag(await left(useCases.importRunFailures(page))), 'ImportRunDoesNotExist')
    t.is(tag(await left(useCases.importRunAccounts(page))), 'ImportRunDoesNotExist')
  }
  const wrong = { import_supplier: 'NOBODY', source: { name: 'a', sha256: 'AB', accounts: 0 } }
  const refused = await left(useCases.openImportRun({ organisation, payload: wrong }))
  t.deepEqual('errors' in refused && refused.errors.map(({ code, attr }) => `${code} ${attr}`), [
    'import_supplier_does_not_exist import_supplier',
    'invalid source.sha256',
    'min_value source.accounts',
  ])
  const unnamed = await right(
    useCases.openImportRun({ organisation, payload: { import_supplier: 'LEVANTE' } }),
  )
  t.is(unnamed.startedBy, 'unnamed')
})

test('a run keeps its staged and created accounts, and its refused ones without values', async (t) => {
  const made = await service()
  const { useCases, ports } = made
  const { id } = await open(useCases)
  await right(stage(useCases, id, least('A'), 1))
  t.is(tag(await left(stage(useCases, id, withoutCustomers('B'), 2))), 'AccountFailedValidation')
  t.is(tag(await left(stage(useCases, id, { customers: 1 }, 3))), 'AccountFailedValidation')
  t.is(tag(await left(process(useCases, id, 'B'))), 'NothingStaged')
  await right(process(useCases, id, 'A'))
  t.is((await right(ports.accounts.find(keyOf('A'))))?.importRun, id)
  const failures = await failuresOf(made, id)
  t.deepEqual(failures.slice(0, 2), [
    'process - B import_process_does_not_exist',
    'stage 2 B account_failed_validation not_a_list customers',
  ])
  t.regex(
    failures[2] ?? '',
    /^stage 3 - account_failed_validation required import_supplier required external_account_number /,
  )
  t.notRegex(failures.join(), /nobody/)
  const counts = await countsOf(made, id)
  t.like(counts, { staged: 1, created: 1, failed: { stage: 2, process: 1 } })
  t.deepEqual(counts.errors[0], { step: 'stage', code: 'not_a_list', field: 'customers', count: 2 })
  const accounts = await right(useCases.importRunAccounts({ organisation, id, after: undefined, limit: 10 }))
  t.deepEqual(accounts, { items: ['A'], next: undefined })
})

test('an account that is accepted at last, or existed with the same data, has no failure', async (t) => {
  const made = await service()
  const { useCases } = made
  const { id } = await open(useCases)
  await left(stage(useCases, id, withoutCustomers('A'), 7))
  await left(process(useCases, id, 'A'))
  t.is((await failuresOf(made, id)).length, 2)
  await right(stage(useCases, id, least('A'), 7))
  await right(process(useCases, id, 'A'))
  t.deepEqual(await failuresOf(made, id), [])
  t.is(tag(await left(stage(useCases, id, least('A'), 7))), 'AccountAlreadyImported')
  t.is(tag(await left(process(useCases, id, 'A'))), 'AccountAlreadyImported')
  t.deepEqual(await failuresOf(made, id), [])
  const other = least('A', { sales_subchannel: 'Another office' })
  t.is(tag(await left(stage(useCases, id, other, 8))), 'AccountAlreadyImported')
  t.deepEqual(await failuresOf(made, id), ['stage 8 A account_already_imported'])
})

test('only an open run of the same supplier can be named', async (t) => {
  const made = await service()
  const { useCases, ports } = made
  await right(useCases.operator.createSupplier({ code: 'OTHER', organisation, documentRoot: 'other' }))
  const { id } = await open(useCases)
  const other = await open(useCases, { import_supplier: 'OTHER' })
  const lines = bulk(least('A'))
  const all = {
    organisation,
    payload: { import_supplier_code: 'LEVANTE', operations_team_name: 'Migration team' },
  }
  t.is(tag(await left(stage(useCases, 'nothing', least('A')))), 'ImportRunDoesNotExist')
  t.is(tag(await left(stage(useCases, other.id, least('A')))), 'ImportRunDoesNotExist')
  t.is(tag(await left(process(useCases, other.id, 'A'))), 'ImportRunDoesNotExist')
  t.is(
    tag(await left(useCases.bulkStage({ organisation, lines, importRun: { id: 'nothing' } }))),
    'ImportRunDoesNotExist',
  )
  t.is(
    tag(await left(useCases.bulkProcess({ ...all, importRun: { id: other.id } }))),
    'ImportRunDoesNotExist',
  )
  t.deepEqual(await outcomesOf(useCases.bulkStage({ organisation, lines, importRun: { id: other.id } })), [
    'ImportRunDoesNotExist',
  ])
  t.is(await right(ports.accountImports.find(keyOf('A'))), undefined)
  t.deepEqual(await failuresOf(made, other.id), [
    'stage - A import_run_does_not_exist',
    'stage 1 A import_run_does_not_exist',
  ])
  await right(useCases.finishImportRun({ organisation, id }))
  t.is(tag(await left(stage(useCases, id, least('A')))), 'ImportRunFinished')
  t.is(tag(await left(useCases.bulkProcess({ ...all, importRun: { id } }))), 'ImportRunFinished')
  t.is(
    tag(await left(useCases.processAccount({ organisation, payload: {}, importRun: { id: other.id } }))),
    'RequestFailedValidation',
  )
})

test('lines of a bulk request are recorded by their numbers in the source', async (t) => {
  const made = await service()
  const { useCases } = made
  const { id } = await open(useCases)
  const sent = {
    organisation,
    lines: bulk(least('A'), withoutCustomers('B'), undefined),
    importRun: { id, firstLine: 501 },
  }
  t.deepEqual(await outcomesOf(useCases.bulkStage(sent)), ['done', 'AccountFailedValidation', 'NotJson'])
  t.deepEqual(await failuresOf(made, id), [
    'stage 502 B account_failed_validation not_a_list customers',
    'stage 503 - parse_error',
  ])
  const named = ['A', 'B', 'C']
  const payload = {
    import_supplier_code: 'LEVANTE',
    operations_team_name: 'Migration team',
    external_account_numbers: named,
  }
  t.deepEqual(await outcomesOf(useCases.bulkProcess({ organisation, payload, importRun: { id } })), [
    'done',
    'NothingStaged',
    'NothingStaged',
  ])
  t.deepEqual((await failuresOf(made, id)).slice(0, 2), [
    'process - B import_process_does_not_exist',
    'process - C import_process_does_not_exist',
  ])
  await outcomesOf(
    useCases.bulkStage({ organisation, lines: bulk(least('B')), importRun: { id, firstLine: 502 } }),
  )
  t.deepEqual(
    (await failuresOf(made, id)).filter((failure) => failure.startsWith('stage')),
    ['stage 503 - parse_error'],
  )
  t.like(await countsOf(made, id), { staged: 2, created: 1, failed: { stage: 1, process: 2 } })
})

test('a payload with a field dry_run is staged like any other: its run has to exist, and keeps it', async (t) => {
  const { useCases } = await service()
  const { id } = await open(useCases)
  const payload = least('FIELD', { dry_run: true })
  t.is((await left(stage(useCases, 'nobody', payload)))._tag, 'ImportRunDoesNotExist')
  await right(stage(useCases, id, payload))
  t.is((await right(useCases.importRun({ organisation, id }))).counts.staged, 1)
})

test('a dry run belongs to no run, and a temporary refusal is no failure of it', async (t) => {
  const made = await service()
  const { useCases, ports } = made
  const { id } = await open(useCases)
  await right(stage(useCases, id, least('A')))
  t.is(tag(await left(process(useCases, 'nothing', 'A', { dry_run: true }))), 'DryRunSucceeded')
  t.is(tag(await left(process(useCases, id, 'B', { dry_run: true }))), 'NothingStaged')
  const payload = { import_supplier_code: 'LEVANTE', operations_team_name: 'Migration team', dry_run: true }
  t.deepEqual(
    await outcomesOf(useCases.bulkProcess({ organisation, payload, importRun: { id: 'nothing' } })),
    ['DryRunSucceeded'],
  )
  await claimElsewhere(ports, keyOf('A'))
  t.is(tag(await left(process(useCases, id, 'A'))), 'AccountProcessedElsewhere')
  t.deepEqual(await failuresOf(made, id), [])
  t.is(tag(await left(stage(useCases, id, least('A'), 4))), 'AccountImportInProgress')
  t.deepEqual(await failuresOf(made, id), ['stage 4 A account_import_in_progress'])
})

test('lines whose refusal cannot be recorded fail with the store, and the others get their results', async (t) => {
  const made = await service()
  const { id } = await open(made.useCases)
  const useCases = withRuns(made, { record: () => away('record') })
  const lines = bulk(least('A'), withoutCustomers('B'))
  t.deepEqual(await outcomesOf(useCases.bulkStage({ organisation, lines, importRun: { id } })), [
    'done',
    'PortFailure',
  ])
  t.is(tag(await left(stage(useCases, id, withoutCustomers('B')))), 'PortFailure')
  await right(stage(useCases, id, least('C')))
  await left(stage(made.useCases, id, withoutCustomers('D'), 9))
  t.is(tag(await left(stage(useCases, id, least('D'), 9))), 'PortFailure')
  await right(stage(made.useCases, id, least('D'), 9))
  t.deepEqual(await failuresOf(made, id), [])
})

test('a bulk request within a run ends when the store of runs is away for 256 lines', async (t) => {
  const made = await service()
  const { id } = await open(made.useCases)
  const useCases = withRuns(made, { record: () => away('record') })
  const lines = bulk(...Array.from({ length: 600 }, (_, index) => withoutCustomers(`N-${index}`)))
  const pages = await right(useCases.bulkStage({ organisation, lines, importRun: { id } }))
  let results = 0
  const ended = (async () => {
    for await (const page of pages) results += page.length
  })()
  const thrown: unknown = await ended.catch((cause: unknown) => cause)
  t.like(thrown, { _tag: 'PortFailure', port: 'importRuns' })
  t.true(results >= 256 && results < 600)
})

test('a run that cannot be read is a failure of the store before any change', async (t) => {
  const made = await service()
  const { id } = await open(made.useCases)
  const useCases = withRuns(made, { find: () => away('find') })
  t.is(tag(await left(stage(useCases, id, least('A')))), 'PortFailure')
  t.is(await right(made.ports.accountImports.find(keyOf('A'))), undefined)
})

test('a long request marks its run as running once a minute, also after a failure of the first mark', async (t) => {
  const made = await service()
  const { clock, ports } = made
  const { id } = await open(made.useCases)
  const touched: string[] = []
  const touch: Ports['importRuns']['touch'] = (of, run, at, isProgress) => {
    touched.push(at)
    if (touched.length === 1) return away('touch')
    return ports.importRuns.touch(of, run, at, isProgress)
  }
  const useCases = withRuns(made, { touch })
  const lines = async function* (): AsyncGenerator<BulkLine> {
    for (const [index, line] of bulk(least('A'), least('B'), least('C'), least('D')).entries()) {
      clock.pass(index === 3 ? 30 : 60)
      yield { ...line, bytes: 2_097_153 }
    }
  }
  t.deepEqual(await outcomesOf(useCases.bulkStage({ organisation, lines: lines(), importRun: { id } })), [
    'done',
    'done',
    'done',
    'done',
  ])
  t.true(touched.length >= 2, `${touched.length}`)
  const { run } = await right(made.useCases.importRun({ organisation, id }))
  t.true(run.latestRequestAt > run.startedAt)
})

test('runs, failures and created accounts are listed page by page', async (t) => {
  const { useCases, clock } = await service()
  const ids: string[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    ids.unshift((await open(useCases)).id)
    clock.pass(1)
  }
  const first = await right(useCases.importRunsPage({ organisation, after: undefined, limit: 2 }))
  const second = await right(useCases.importRunsPage({ organisation, after: first.next, limit: 2 }))
  const shown = [...first.items, ...second.items].map(({ id }) => id)
  t.deepEqual(shown, ids)
  t.is(second.next, undefined)
  const [id = ''] = ids
  for (const line of [1, 2, 3]) await left(stage(useCases, id, withoutCustomers(`N${line}`), line))
  const page = { organisation, id, limit: 2 }
  const one = await right(useCases.importRunFailures({ ...page, after: undefined }))
  const two = await right(useCases.importRunFailures({ ...page, after: one.next }))
  t.deepEqual(
    [...one.items, ...two.items].map(({ line }) => line),
    [1, 2, 3],
  )
  t.is(two.next, undefined)
  for (const number of ['A', 'B', 'C']) {
    await right(stage(useCases, id, least(number)))
    await right(process(useCases, id, number))
  }
  const createdAfter = (after: string | undefined) => right(useCases.importRunAccounts({ ...page, after }))
  t.deepEqual(await createdAfter(undefined), { items: ['A', 'B'], next: 'B' })
  t.deepEqual(await createdAfter('B'), { items: ['C'], next: undefined })
})

test('failures of a run are removed when the staged data of the supplier is due', async (t) => {
  const made = await service()
  const { useCases, clock, ports } = made
  const { id } = await open(useCases)
  await left(stage(useCases, id, withoutCustomers('A'), 1))
  const day = 86_400
  clock.pass(2 * day)
  await right(useCases.removeDuePayloads(10))
  t.is((await failuresOf(made, id)).length, 1)
  await right(
    useCases.operator.configureSupplier({
      code: 'LEVANTE',
      change: (settings) => ({ ...settings, retentionDays: 1 }),
    }),
  )
  // Another server would wait for the lease of this one.
  const leases = { take: async () => E.right(true) }
  const failing = makeUseCases({
    ...changed(ports, 'importRuns', { removeFailures: () => away('removeFailures') }),
    leases,
  })
  t.is(tag(await left(failing.removeDuePayloads(10))), 'PortFailure')
  t.is((await failuresOf(made, id)).length, 1)
  await right(useCases.removeDuePayloads(10))
  t.deepEqual(await failuresOf(made, id), [])
  const { run } = await right(useCases.importRun({ organisation, id }))
  t.is(run.failuresRemovedAt, clock.now())
})

test('runs are listed by state and by the time of their start, page by page', async (t) => {
  const { useCases, clock } = await service()
  const runs: string[] = []
  const starts: ReturnType<typeof clock.now>[] = []
  for (let nth = 0; nth < 6; nth += 1) {
    starts.unshift(clock.now())
    runs.unshift((await open(useCases)).id)
    clock.pass(1)
  }
  const finished = runs.filter((_, at) => at % 3 > 0)
  for (const id of finished) await right(useCases.finishImportRun({ organisation, id }))
  type Asked = Parameters<typeof useCases.importRunsPage>[0]
  const listed = async (limit: number, more: Partial<Asked>): Promise<readonly string[]> => {
    const found: string[] = []
    let after: Asked['after']
    do {
      const page = await right(useCases.importRunsPage({ organisation, after, limit, ...more }))
      t.true(page.items.length <= limit)
      found.push(...page.items.map(({ id }) => id))
      after = page.next
    } while (after !== undefined)
    return found
  }
  for (const limit of [1, 2, 3, 10]) {
    t.deepEqual(await listed(limit, { state: 'finished' }), finished)
    t.deepEqual(
      await listed(limit, { state: 'running' }),
      runs.filter((id) => !finished.includes(id)),
    )
    t.deepEqual(await listed(limit, { state: 'undone' }), [])
    t.deepEqual(await listed(limit, { startedFrom: starts[3] }), runs.slice(0, 4))
  }
})

test('the status of an account names the run that staged it and the run that created it', async (t) => {
  const { useCases } = await service()
  const { id: importRun } = await open(useCases)
  const { id: createdInRun } = await open(useCases)
  await right(stage(useCases, importRun, least('A')))
  t.like(await right(useCases.transferStatus(keyOf('A'))), { importRun, createdInRun: undefined })
  await right(process(useCases, createdInRun, 'A'))
  t.like(await right(useCases.transferStatus(keyOf('A'))), { importRun, createdInRun })
})
