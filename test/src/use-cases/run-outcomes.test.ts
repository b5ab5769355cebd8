import type { BulkLine, Ports } from '@account-import/core'
import test from 'ava'
import {
  away,
  bulk,
  failuresOf,
  least,
  open,
  outcomesOf,
  process,
  stage,
  tag,
  withoutCustomers,
  withRuns,
} from './support/runs.js'
import { left, organisation, processGas, right, service } from './support/service.js'

test('an accepted account is a failure of the store when its earlier failure cannot be removed', async (t) => {
  const made = await service()
  const { id } = await open(made.useCases)
  const useCases = withRuns(made, { hasFailures: () => away('hasFailures') })
  t.is(tag(await left(stage(useCases, id, least('A'), 1))), 'PortFailure')
  t.is(tag(await left(stage(useCases, id, withoutCustomers('B'), 2))), 'AccountFailedValidation')
  t.deepEqual(await failuresOf(made, id), ['stage 2 B account_failed_validation not_a_list customers'])
})

test('a failure that a concurrent request records ends with the acceptance of its account', async (t) => {
  const made = await service()
  const { useCases } = made
  const { id } = await open(useCases)
  const lines = async function* (): AsyncGenerator<BulkLine> {
    // The request has begun, and the run has no failure yet.
    await left(stage(useCases, id, withoutCustomers('A'), 1))
    yield* bulk(least('A'), least('B'))
  }
  const results = useCases.bulkStage({ organisation, lines: lines(), importRun: { id } })
  t.deepEqual(await outcomesOf(results), ['done', 'done'])
  t.deepEqual(await failuresOf(made, id), [])
})

test('a bulk request to process removes the failures of single requests, with a line too', async (t) => {
  const made = await service()
  const { useCases } = made
  const { id } = await open(useCases)
  const refusedAt = (line: number, number: string) =>
    left(
      useCases.processAccount({
        organisation,
        payload: { ...processGas, external_account_number: number },
        importRun: { id, firstLine: line },
      }),
    )
  for (const [at, number] of ['A', 'B', 'C'].entries()) await refusedAt(at + 1, number)
  t.deepEqual((await failuresOf(made, id)).length, 3)
  for (const number of ['A', 'B']) await right(stage(useCases, id, least(number)))
  const payload = {
    import_supplier_code: 'LEVANTE',
    operations_team_name: 'Migration team',
    external_account_numbers: ['A', 'C'],
  }
  t.deepEqual(await outcomesOf(useCases.bulkProcess({ organisation, payload, importRun: { id } })), [
    'done',
    'NothingStaged',
  ])
  await right(process(useCases, id, 'B'))
  t.deepEqual(await failuresOf(made, id), ['process - C import_process_does_not_exist'])
})

test('the latest progress changes with the first account, and then every 5 seconds', async (t) => {
  const { useCases, clock } = await service()
  const { id } = await open(useCases)
  const progress = async () => (await right(useCases.importRun({ organisation, id }))).run.latestProgressAt
  const times: unknown[] = []
  for (const [seconds, number] of [
    [1, 'A'],
    [1, 'B'],
    [4, 'C'],
  ] as const) {
    clock.pass(seconds)
    await right(stage(useCases, id, least(number)))
    times.push([number, (await progress()) === clock.now()])
  }
  t.deepEqual(times, [
    ['A', true],
    ['B', false],
    ['C', true],
  ])
})

test('a run whose accounts were undone shows counts, actor and time, in a list too', async (t) => {
  const { useCases, clock } = await service()
  const { id } = await open(useCases)
  for (const number of ['A', 'B']) {
    await right(stage(useCases, id, least(number)))
    await right(process(useCases, id, number))
  }
  await left(stage(useCases, id, withoutCustomers('C'), 3))
  clock.pass(37)
  await right(useCases.finishImportRun({ organisation, id }))
  const undo = async (number: string, who: string) => {
    const payload = { import_supplier_code: 'LEVANTE', external_account_numbers: [number] }
    const { confirmationCode: confirmation_code } = await right(
      useCases.previewUndo({ organisation, payload }),
    )
    const confirmed = { ...payload, confirmation_code }
    await right(useCases.undoAccounts({ organisation, payload: confirmed, by: { who } }))
  }
  const shown = async () => {
    const { run, counts } = await right(useCases.importRun({ organisation, id }))
    const { items } = await right(useCases.importRunsPage({ organisation, after: undefined, limit: 9 }))
    t.deepEqual(items, [run])
    const { state, totals, undone, seconds } = run
    return { state, totals, undone, seconds, staged: counts.staged, created: counts.created }
  }
  const unchanged = { totals: { created: 2, refused: 1 }, seconds: 37, staged: 2, created: 2 }
  t.deepEqual(await shown(), { ...unchanged, state: 'finished', undone: undefined })
  clock.pass(60)
  await undo('A', 'key k1')
  const first = { count: 1, latestAt: clock.now(), latestBy: 'key k1' }
  t.deepEqual(await shown(), { ...unchanged, state: 'partly_undone', undone: first })
  clock.pass(60)
  await undo('B', 'key k2')
  const second = { count: 2, latestAt: clock.now(), latestBy: 'key k2' }
  t.deepEqual(await shown(), { ...unchanged, state: 'undone', undone: second })
})

test('a run that is undone before its end is undone until a request names it again', async (t) => {
  const made = await service()
  const { useCases, clock } = made
  const { id } = await open(useCases)
  await right(stage(useCases, id, least('A')))
  await right(process(useCases, id, 'A'))
  clock.pass(120)
  const payload = { import_supplier_code: 'LEVANTE', external_account_numbers: ['A'] }
  const { confirmationCode } = await right(useCases.previewUndo({ organisation, payload }))
  const confirmed = { ...payload, confirmation_code: confirmationCode }
  await right(useCases.undoAccounts({ organisation, payload: confirmed }))
  const stateNow = async () => (await right(useCases.importRun({ organisation, id }))).run.state
  t.is(await stateNow(), 'undone')
  clock.pass(60)
  await right(stage(useCases, id, least('A')))
  t.is(await stateNow(), 'running')
  await right(process(useCases, id, 'A'))
  const finished = await right(useCases.finishImportRun({ organisation, id }))
  t.like(finished, { state: 'partly_undone', totals: { created: 2 }, undone: { count: 1 } })
})

test('a list of runs counts only the accounts of unfinished ones', async (t) => {
  const made = await service()
  const { id } = await open(made.useCases)
  const other = await open(made.useCases)
  await right(stage(made.useCases, id, least('A')))
  await right(process(made.useCases, id, 'A'))
  await right(made.useCases.finishImportRun({ organisation, id }))
  const asked: string[][] = []
  const totals: Ports['importRuns']['totals'] = (runs) => {
    asked.push(runs.map((run) => run.id))
    return made.ports.importRuns.totals(runs)
  }
  const useCases = withRuns(made, { totals })
  const page = () => right(useCases.importRunsPage({ organisation, after: undefined, limit: 9 }))
  const { items } = await page()
  const created = Object.fromEntries(items.map((run) => [run.id, run.totals.created]))
  t.deepEqual(created, { [id]: 1, [other.id]: 0 })
  await right(useCases.finishImportRun({ organisation, id: other.id }))
  await page()
  t.deepEqual(asked, [[other.id]])
})
