import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { createClient, type Client } from '@account-import/client'
import ava, { type ExecutionContext } from 'ava'
import { invalidAccount } from '../offline/support/accounts.js'
import { csvOf } from '../offline/support/csv.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { gasAccount } from '../support/samples.js'
import { faultyProxy, type Fault } from './support/faulty-proxy.js'
import {
  importedOf,
  importing,
  type Importing,
  mixedLines,
  startImportServer,
  type ImportServer,
} from './support/importing.js'

// One after the other: an organisation is made on the database of the server while no import writes to it.
const test = ava.serial

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

type Runs = Readonly<{ import_runs: readonly Readonly<{ import_supplier: string; id: string }>[] }>

const runsOf = (summary: unknown): Runs['import_runs'] => (summary as Runs).import_runs

const failuresOf = async (client: Client, importRun: string): Promise<readonly string[]> => {
  const failures: string[] = []
  for await (const page of client.importRunFailurePages({ importRun, limit: 3 })) {
    if (!page.ok) throw new Error(page.code)
    for (const { step, line, external_account_number: number, code, errors } of page.body)
      failures.push([step, line, number, code, ...errors.map(({ attr }) => attr)].join(' '))
  }
  return failures
}

const allOf = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const read: Item[] = []
  for await (const item of items) read.push(item)
  return read
}

const run = async (client: Client, id: string) => {
  const found = await client.importRun(id)
  if (!found.ok) throw new Error(found.code)
  return found.body
}

/** With a key that may take accounts back. */
const undoing = async ({ database, address }: Importing) => {
  const key = ['api-key', 'create', '--organisation', database.organisation, '--json']
  const scopes = ['undo', 'read'].flatMap((scope) => ['--scope', scope])
  const made = await cliInProcess([...key, ...scopes], database.environment)
  const { api_key: apiKey } = JSON.parse(made.stdout) as { api_key: string }
  return (args: readonly string[]) =>
    cliInProcess([...args, '--url', address], { ACCOUNT_IMPORT_API_KEY: apiKey })
}

const linesFor = (suppliers: readonly string[], count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify(gasAccount(suppliers[at % suppliers.length] ?? '', `N-${at}`)),
  )

test('an import is a run with its accounts, and with its refused lines by their numbers in the file', async (t) => {
  const { database, client, put, path, text, summary, run: command } = await importing(t, server)
  const { supplier } = database
  const valid = mixedLines(supplier, 10)
  const file = await put(
    'night.ndjson',
    ['', ...valid.slice(0, 5), ' ', '{"broken', ...valid.slice(5)].join('\n'),
  )
  const done = await summary(file, ['--label', 'Rehearsal 3', '--report', path('r.html')], 1)
  t.like(done, { created: 8, failed: 3 })
  const [{ id, import_supplier } = { id: '', import_supplier: '' }, ...others] = runsOf(done)
  t.deepEqual([import_supplier, others], [supplier, []])
  t.regex(await text('r.html'), new RegExp(`Import run[\\s\\S]*${id}[\\s\\S]*Label[\\s\\S]*Rehearsal 3`))
  const found = await run(client, id)
  t.like(found, { state: 'finished', label: 'Rehearsal 3', source: { name: 'night.ndjson', accounts: 11 } })
  t.like(found.counts, { staged: 8, created: 8, failed: { stage: 3, process: 0 } })
  t.deepEqual(
    (await failuresOf(client, id)).map((failure) => failure.split(' ').slice(0, 4).join(' ')),
    [
      'stage 5 N-3 account_failed_validation',
      'stage 8  parse_error',
      'stage 12 N-8 account_failed_validation',
    ],
  )
  const shown = await command(['run', 'show', id])
  t.regex(shown.stdout, /state: +finished[^]*refused when staged: +3[^]*STEP +CODE[^]*stage +parse_error +1/)
  t.regex(shown.stdout, /accounts of the file: +11 of 11 staged, created or refused by the run\n/)
  const listed = await command(['run', 'list', '--supplier', supplier])
  t.regex(listed.stdout, new RegExp(`^ID[^]*${id} +finished.*night\\.ndjson.*Rehearsal 3\n$`))
  t.deepEqual(
    (JSON.parse((await command(['run', 'list', '--json'])).stdout) as { id: string }[]).map(
      (each) => each.id,
    ),
    [id],
  )
  const csv = csvOf((await command(['run', 'failures', id, '--csv'])).stdout)
  t.deepEqual(csv[0], ['step', 'line', 'external_account_number', 'code', 'field', 'times'])
  t.deepEqual(
    csv.find(([, line]) => line === '8'),
    ['stage', '8', '', 'parse_error', '', '1'],
  )
  t.regex((await command(['run', 'failures', id])).stdout, /^STEP[^]*stage +8 +parse_error\n/)
  t.is((JSON.parse((await command(['run', 'failures', id, '--json'])).stdout) as unknown[]).length, 3)
  const status = await command(['status', supplier, '--json'])
  t.like(JSON.parse(status.stdout), { created: 8, latest_run: { id, counts: { failed: { stage: 3 } } } })
  t.regex((await command(['status', supplier])).stdout, /created: +8[^]*refused when staged: +3/)
})

test('a file of several suppliers is a run for each, and lines without a readable supplier belong to one of them', async (t) => {
  const world = await importing(t, server)
  const { database, client, put, summary } = world
  const other = `${database.supplier}-2`
  await cliInProcess(
    ['supplier', 'create', other, '--organisation', database.organisation],
    database.environment,
  )
  const lines = linesFor([database.supplier, other, 'NOBODY'], 9)
  const file = await put('a.ndjson.gz', gzipSync([lines[0], '[1]', ...lines.slice(1)].join('\n')))
  const done = await summary(file, [], 1)
  t.like(done, { created: 6, failed: 4 })
  const runs = runsOf(done)
  t.deepEqual(
    runs.map(({ import_supplier }) => import_supplier),
    [database.supplier, other],
  )
  for (const { id } of runs)
    t.like(await run(client, id), { source: { accounts: null }, counts: { staged: 3, created: 3 } })
  t.deepEqual(await failuresOf(client, runs[0]?.id ?? ''), ['stage 2  account_failed_validation '])
  t.deepEqual(await failuresOf(client, runs[1]?.id ?? ''), [])
})

test('unreadable lines before the first account belong to the run too, when they fill requests', async (t) => {
  const { database, client, put, summary } = await importing(t, server)
  const broken = Array.from({ length: 700 }, () => `{"broken": ${'x'.repeat(2500)}`)
  const file = await put('a.ndjson', [...broken, ...mixedLines(database.supplier, 5)].join('\n'))
  const done = await summary(file, ['--concurrency', '2'], 1)
  t.like(done, { created: 4, failed: 701 })
  const { source, counts } = await run(client, runsOf(done)[0]?.id ?? '')
  t.is(source?.accounts, 705)
  t.like(counts, { created: 4, failed: { stage: 701 } })
})

test('a repeated command continues an interrupted run, and begins a new run after a finished one', async (t) => {
  const { database, client, put, run: command, summary, address } = await importing(t, server)
  const file = await put('a.ndjson', mixedLines(database.supplier, 40).join('\n'))
  const faults: Fault[] = [{ kind: 'break', lines: 3 }]
  const proxy = await faultyProxy(t, address, faults)
  const cut = ['import', file, '--team', database.team, '--json', '--retry-for', '0']
  const interrupted = await command([...cut, '--url', proxy.baseUrl])
  t.is(interrupted.code, 1, interrupted.stdout)
  const [page] = await allOf(client.importRunPages({ limit: 5 }))
  t.true(page?.ok)
  const [open] = page?.ok === true ? page.body : []
  t.like(open, { state: 'running', finished_at: null })
  const done = await summary(file, [], 1)
  t.deepEqual(runsOf(done) as unknown, [{ import_supplier: database.supplier, id: open?.id, finished: true }])
  t.like(await run(client, open?.id ?? ''), {
    state: 'finished',
    counts: { staged: 32, created: 32, failed: { stage: 8, process: 0 } },
  })
  const again = await summary(file, [], 1)
  t.not(runsOf(again)[0]?.id, open?.id)
  t.like((await run(client, runsOf(again)[0]?.id ?? '')).counts, {
    staged: 0,
    created: 0,
    failed: { stage: 8 },
  })
})

/**
 * Imports lines while another client finishes the latest run before the service gets the first and the third request. Returns the
 * counts of each run, and the names of the requests.
 */
const importedWhileFinished = async (
  t: ExecutionContext,
  { database, client, put, summary, address }: Importing,
  lines: readonly string[],
) => {
  const file = await put('a.ndjson', lines.join('\n'))
  const finishLatest = async () => {
    const [page] = await allOf(client.importRunPages({ limit: 1 }))
    const id = page?.ok === true ? page.body[0]?.id : undefined
    t.true((await client.finishImportRun(id ?? '')).ok)
  }
  const faults: Fault[] = [
    { kind: 'pass after', work: finishLatest },
    { kind: 'pass' },
    { kind: 'pass after', work: finishLatest },
  ]
  const proxy = await faultyProxy(t, address, faults)
  const done = await summary(file, ['--url', proxy.baseUrl], 1)
  const runs = await Promise.all(runsOf(done).map(({ id }) => run(client, id)))
  const counts = runs.map(({ state, counts: { staged, created, failed } }) => [
    state,
    staged,
    created,
    failed.stage,
  ])
  t.is((await importedOf(client, database.supplier)).size, 8)
  return { done, counts, requests: proxy.seen.map(({ path }) => path.split('/').at(-2)) }
}

test('an import continues under a new run when another client finishes its run', async (t) => {
  const world = await importing(t, server)
  const { done, counts, requests } = await importedWhileFinished(
    t,
    world,
    mixedLines(world.database.supplier, 10),
  )
  t.like(done, { created: 8, failed: 2, run: { retries: 0 } })
  t.deepEqual(requests, ['bulk-import', 'bulk-import'])
  t.deepEqual(counts, [
    ['finished', 0, 0, 0],
    ['finished', 8, 8, 2],
  ])
})

test('an import that stages and creates by two requests continues under a new run for each', async (t) => {
  const world = await importing(t, server)
  const lines = mixedLines(world.database.supplier, 10)
  // A repeated account is staged with all others, and created from its last line.
  const { done, counts, requests } = await importedWhileFinished(t, world, [...lines, ...lines.slice(0, 1)])
  t.like(done, { created: 8, existing: 1, failed: 2, run: { retries: 0 } })
  t.deepEqual(requests, ['bulk-create-or-update', 'bulk-create-or-update', 'bulk-process', 'bulk-process'])
  t.deepEqual(counts, [
    ['finished', 0, 0, 0],
    ['finished', 8, 0, 2],
    ['finished', 0, 8, 0],
  ])
})

test('an import completes when the service cannot finish its run, and reports that', async (t) => {
  const { database, client, put, run: command, address } = await importing(t, server)
  const file = await put('a.ndjson', linesFor([database.supplier], 3).join('\n'))
  const proxy = await faultyProxy(t, address, [], { kind: 'answer', status: 503 })
  const { code, stderr } = await command(['import', file, '--team', database.team, '--url', proxy.baseUrl])
  t.is(code, 0, stderr)
  t.regex(stderr, /created 3\.[^]*Import run of [^]* \(not finished: the service did not respond\)/)
  const [page] = await allOf(client.importRunPages({ limit: 5 }))
  t.like(page?.ok === true ? page.body[0] : undefined, { state: 'running', finished_at: null })
})

test('each import of a stream is a run of its own, and checks alone are no run', async (t) => {
  const { database, client, put, run: command, summary } = await importing(t, server)
  const lines = linesFor([database.supplier], 2).join('\n')
  const ids: string[] = []
  for (let nth = 0; nth < 2; nth += 1) {
    const args = ['import', '-', '--team', database.team, '--json', '--only', 'stage']
    const { stdout } = await command(args, { input: Readable.from([Buffer.from(lines)]) })
    ids.push(...runsOf(JSON.parse(stdout)).map(({ id }) => id))
  }
  t.is(new Set(ids).size, 2)
  const [first = '', second = ''] = ids
  t.like(await run(client, first), { source: null, counts: { staged: 0 } })
  t.like((await run(client, second)).counts, { staged: 2, created: 0 })
  const file = await put('a.ndjson', lines)
  for (const args of [['--dry-run'], ['--only', 'validate']])
    t.deepEqual(runsOf(await summary(file, args, 0)), [])
  t.is(runsOf(await summary(file, ['--only', 'process'], 0)).length, 1)
})

test('run undo removes the accounts of one run after a preview, and of no other run', async (t) => {
  const world = await importing(t, server)
  const { database, client, put, summary } = world
  const wrong = await summary(await put('a.ndjson', linesFor([database.supplier], 5).join('\n')), [], 0)
  const right = linesFor([database.supplier], 8).join('\n')
  await summary(await put('b.ndjson', right), [], 0)
  const [{ id } = { id: '' }] = runsOf(wrong)
  const command = await undoing(world)
  const preview = await command(['run', 'undo', id, '--json'])
  t.is(preview.code, 2)
  const { confirmation_code: code, would_remove: accounts } = JSON.parse(preview.stdout) as {
    confirmation_code: string
    would_remove: { external_account_number: string }[]
  }
  t.deepEqual(
    accounts.map((each) => each.external_account_number),
    ['N-0', 'N-1', 'N-2', 'N-3', 'N-4'],
  )
  const undone = await command(['run', 'undo', id, '--confirm', code])
  t.is(undone.code, 0, undone.stderr)
  t.deepEqual([...(await importedOf(client, database.supplier)).keys()], ['N-5', 'N-6', 'N-7'])
  const found = await run(client, id)
  t.like(found, { state: 'undone', counts: { staged: 5, created: 5, refused: 0 }, undone: { count: 5 } })
  t.regex(found.undone.latest_by ?? '', /^key /)
  t.true((found.undone.latest_at ?? '') >= found.latest_progress_at)
  t.regex(
    (await command(['run', 'show', id])).stdout,
    /state: +undone\n[^]*created: +5\nundone: +5, latest \S+Z by key /,
  )
  const listed = (await command(['run', 'list', '--supplier', database.supplier])).stdout.split('\n')
  t.regex(
    listed[0] ?? '',
    /^ID +STATE +STARTED +DURATION +CREATED +REFUSED +UNDONE +SUPPLIER +STARTED BY +IN FILE +SOURCE +LABEL$/,
  )
  const [other, ...rest] = listed.slice(1).filter((line) => line !== '')
  t.regex(other ?? '', / finished +\S+Z +\d+ s +3 +\d+ +0 /)
  t.regex(rest.join(), / undone +\S+Z +\d+ s +5 +0 +5 .* key .* a\.ndjson/)
  t.regex((await command(['run', 'undo', id])).stderr, /no account to undo/)
})

test('commands for an unknown run report that it does not exist', async (t) => {
  const { run: command } = await importing(t, server)
  for (const name of ['show', 'failures', 'undo']) {
    const { code, stdout, stderr } = await command(['run', name, 'nothing', '--json'])
    t.is(code, 2, stderr)
    t.like(JSON.parse(stdout), { error: { code: 'import_run_does_not_exist' } })
  }
  const { stdout, stderr } = await command(['run', 'failures', 'nothing', '--csv'])
  t.is(stdout, '')
  t.regex(stderr, /no such import run/)
  t.regex((await command(['run', 'list'])).stderr, /There is no import run/)
})

test('lines that are sent again keep their numbers in the source', async (t) => {
  const { database, client, address } = await importing(t, server)
  const { supplier } = database
  const opened = await client.openImportRun({ import_supplier: supplier })
  const id = opened.ok ? opened.body.id : ''
  const proxy = await faultyProxy(t, address, [{ kind: 'busy line', line: 5 }])
  const faulty = createClient({ baseUrl: proxy.baseUrl, apiKey: database.apiKey })
  const invalid = JSON.stringify({ ...invalidAccount('X'), import_supplier: supplier })
  const lines = [
    ...linesFor([supplier], 3),
    invalid,
    JSON.stringify({ ...invalidAccount('Y'), import_supplier: supplier }),
  ]
  const options = { importRun: { id, firstLine: 101 }, retrySeconds: 5 }
  const results: string[] = []
  for await (const result of faulty.bulkStage(lines, options))
    results.push(result.outcome === 'stopped' ? 'stopped' : `${result.line} ${result.outcome}`)
  t.deepEqual(results, ['1 done', '2 done', '3 done', '4 failed', '5 failed'])
  t.is(proxy.seen.length, 2)
  const kept = await failuresOf(client, id)
  t.deepEqual(
    kept.map((failure) => failure.split(' ').slice(0, 3).join(' ')),
    ['stage 104 X', 'stage 105 Y'],
  )
  const finished = await client.finishImportRun(id)
  t.true(finished.ok)
  const [refused] = await allOf(client.bulkStage(lines, options))
  t.is(refused?.outcome === 'stopped' && refused.failure.code, 'import_run_finished')
})

test('run finish ends an open run, so that a changed file does not leave it open for ever', async (t) => {
  const { database, client, address } = await importing(t, server)
  const opened = await client.openImportRun({ import_supplier: database.supplier })
  const id = opened.ok ? opened.body.id : ''
  const environment = { ACCOUNT_IMPORT_API_KEY: database.apiKey }
  const finished = await cliInProcess(['run', 'finish', id, '--url', address], environment)
  t.deepEqual(finished, { code: 0, stdout: '', stderr: `Import run ${id} is finished.\n` })
  t.is((await run(client, id)).state, 'finished')
  const unknown = await cliInProcess(['run', 'finish', 'nothing', '--url', address, '--json'], environment)
  t.is(unknown.code, 2)
  t.like(JSON.parse(unknown.stdout), { error: { code: 'import_run_does_not_exist' } })
})

test('run open shows the refused accounts of all runs until they are imported, and run dismiss ends them with a reason', async (t) => {
  const { database, client, put, summary, run: command } = await importing(t, server)
  const { supplier } = database
  const wave = await put('wave.ndjson', [...mixedLines(supplier, 10), '{"broken'].join('\n'))
  const [{ id } = { id: '' }] = runsOf(await summary(wave, [], 1))
  await summary(await put('next.ndjson', JSON.stringify(gasAccount(supplier, 'N-3'))), [], 0)
  const open = await allOf(client.openFailurePages({ importSupplier: supplier, limit: 1 }))
  t.deepEqual(
    open.map((page) => page.ok && page.body.map(({ line, code }) => `${line} ${code}`).join()),
    ['11 parse_error', '9 account_failed_validation'],
  )
  const shown = await command(['run', 'open', supplier])
  t.regex(shown.stdout, new RegExp(`^ACCOUNT +RUN +LINE +ERRORS\n +${id} +11 +parse_error\nN-8 +${id} +9 `))
  const dismiss = ['run', 'dismiss', supplier, '--reason', 'Closed in the old system']
  t.regex((await command([...dismiss, 'N-8', '--line', `${id}:11`])).stderr, /2 of 2 failures dismissed/)
  t.regex((await command([...dismiss, 'N-8'])).stderr, /0 of 1 failures dismissed; the others were not open/)
  t.regex((await command(['run', 'open', supplier])).stderr, /No failure is open/)
  const none = await command(['run', 'open', 'NOBODY', '--json'])
  t.is(none.code, 2, none.stderr)
})
