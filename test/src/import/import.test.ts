import { setTimeout } from 'node:timers/promises'
import ava, { type ExecutionContext } from 'ava'
import {
  importedOf,
  importing,
  mixedLines,
  startImportServer,
  type Importing,
  type ImportServer,
} from './support/importing.js'
import { duckDbTest } from '../convert/support.js'
import { faultyProxy } from './support/faulty-proxy.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { outcomeOf, spawnCli } from '../support/cli-process.js'
import { gasAccount } from '../support/samples.js'

// One after the other: an organisation is made on the database of the server while no import writes to it.
const test = ava.serial

/** External to platform number, of a table of both. */
const mapped = (rows: readonly (readonly string[])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.map(([, external = '', platform = '']) => [external, platform]))

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

/** `process` for all that is staged. */
const processAll = ({ database: { supplier, team } }: Importing): readonly string[] => [
  'process',
  '--supplier',
  supplier,
  '--team',
  team,
]

/** Makes another supplier of the organisation; gives its code. */
const otherSupplier = async (
  t: ExecutionContext,
  { database }: Importing,
  ...more: readonly string[]
): Promise<string> => {
  const other = `${database.supplier}-2`
  const create = ['supplier', 'create', other, '--organisation', database.organisation, ...more]
  t.is((await cliInProcess(create, database.environment)).code, 0)
  return other
}

test('valid lines become accounts, others are reported by line and code, and a repeated import changes nothing', async (t) => {
  const { database, client, put, path, text, rows, summary } = await importing(t, server)
  const lines = mixedLines(database.supplier, 100)
  const file = await put('a.ndjson', `${lines.join('\n')}\n\n`)
  const outputs = ['failures', 'errors', 'report', 'mapping'].flatMap((name) => [
    `--${name}`,
    path(name.charAt(0)),
  ])
  const first = await summary(file, outputs, 1)
  t.like(first, { lines: 101, accounts: 100, created: 80, failed: 20, existing: 0, staged: 0, valid: 0 })
  t.is(await text('f'), lines.filter((_, at) => at % 5 === 3).join('\n') + '\n')
  t.deepEqual(
    [...new Set((await rows('e')).map(([line]) => Number(line)))],
    lines.flatMap((_, at) => (at % 5 === 3 ? [at + 1] : [])),
  )
  const imported = await importedOf(client, database.supplier)
  t.is(imported.size, 80)
  const mapping = await rows('m')
  t.deepEqual(mapped(mapping), Object.fromEntries(imported))
  t.true(mapping.every(([supplier]) => supplier === database.supplier))
  t.regex(await text('r'), /20 accounts of 100 failed/)
  // Not a command that would repeat the import.
  t.regex(await text('r'), /was written to <code>e<\/code>/)
  t.notRegex(await text('r'), /account-import import/)

  const again = await summary(file, outputs, 1)
  t.like(again, { accounts: 100, created: 0, failed: 20, existing: 80 })
  t.deepEqual(again.errors, first.errors)
  t.deepEqual(await rows('m'), mapping)
  t.deepEqual(await importedOf(client, database.supplier), imported)
})

test('the table of failures has the step in which each account failed', async (t) => {
  const { database, put, path, rows, summary } = await importing(t, server)
  const lines = mixedLines(database.supplier, 10)
  const file = await put('a.ndjson', lines.join('\n'))
  const failures = ['--failures', path('f.csv')]
  const seen = async () => (await rows('f.csv')).map(([, line, step, codes]) => [line, step, codes])
  t.like(await summary(file, [...failures, '--only', 'process'], 1), { failed: 10 })
  t.deepEqual(
    await seen(),
    lines.map((_, at) => [String(at + 1), 'process', 'import_process_does_not_exist']),
  )
  t.like(await summary(file, failures, 1), { failed: 2 })
  const steps = await seen()
  t.deepEqual(
    steps.map(([line, step]) => [line, step]),
    [
      ['4', 'stage'],
      ['9', 'stage'],
    ],
  )
})

duckDbTest('the output of a mapping is imported directly, and failures name its rows', async (t) => {
  const { database, client, put, path, rows, run } = await importing(t, server)
  await put('a.csv', 'n\n0\n1\n2\n3\n4\n')
  const sql = `-- source a = a.csv; delimiter ';'; key n
    SELECT getvariable('supplier') AS import_supplier, 'C-' || n AS external_account_number, n AS _n,
    [{account_roles: ['ACCOUNT_HOLDER'], given_name: 'Ana', family_name: CASE n WHEN '3' THEN NULL ELSE 'Peña' END}] AS customers
    FROM a ORDER BY n`
  const args = ['--set', `supplier=${database.supplier}`, '--import', '--team', database.team, '--json']
  const outputs = ['--failures', path('f.csv'), '--mapping', path('m')]
  const { code, stdout, stderr } = await run(['convert', await put('m.sql', sql), ...args, ...outputs])
  t.is(code, 1, stderr)
  t.like(JSON.parse(stdout), { accounts: 5, created: 4, failed: 1 })
  t.deepEqual(await rows('f.csv'), [
    ['C-3', '4', 'stage', 'customer_family_name_required', 'customers.0.family_name', 'a.csv', 'n=3'],
  ])
  t.deepEqual(mapped(await rows('m')), Object.fromEntries(await importedOf(client, database.supplier)))
})

duckDbTest('an interrupted import of converted accounts prints a command that resumes it', async (t) => {
  const { database, address, put, run } = await importing(t, server)
  await put('a.csv', 'n\n0\n1\n2\n')
  const sql = `-- source a = a.csv; delimiter ';'; key n
    SELECT getvariable('supplier') AS import_supplier, getvariable('start') || n AS external_account_number, n AS _n,
    [{account_roles: ['ACCOUNT_HOLDER'], given_name: 'Ana', family_name: 'Peña'}] AS customers FROM a ORDER BY n`
  const { baseUrl } = await faultyProxy(t, address, [{ kind: 'break', lines: 1 }])
  const mapping = await put('m.sql', sql)
  const args = [
    '--set',
    `supplier=${database.supplier}`,
    '--set',
    'start=C-',
    '--folder',
    'one',
    '--folder',
    'an other',
  ]
  const sent = [...args, '--import', '--team', database.team, '--url', baseUrl, '--retry-for', '0']
  const { code, stderr } = await run(['convert', mapping, ...sent])
  t.is(code, 1, stderr)
  const command = `--set supplier=${database.supplier} --set start=C- --folder one --folder 'an other' --import`
  t.true(stderr.includes(command), stderr)
})

test('a dry run of processing alone fails accounts that are not staged', async (t) => {
  const { database, put, summary } = await importing(t, server)
  const file = await put('a.ndjson', mixedLines(database.supplier, 20).join('\n'))
  const args = ['--only', 'process', '--dry-run']
  const before = await summary(file, args, 1)
  t.like(before, { valid: 0, failed: 20 })
  t.deepEqual(before.errors, [{ code: 'import_process_does_not_exist', accounts: 20, entries: 20 }] as never)
  await summary(file, ['--only', 'stage'], 1)
  t.like(await summary(file, args, 1), { valid: 16, failed: 4, created: 0 })
})

test('a key with the scopes stage and process, without read, can stage and process', async (t) => {
  const world = await importing(t, server)
  const { database, put, run } = world
  const scopes = ['--scope', 'stage', '--scope', 'process']
  const create = ['api-key', 'create', '--organisation', database.organisation, ...scopes, '--json']
  const { stdout } = await cliInProcess(create, database.environment)
  const environment = { ACCOUNT_IMPORT_API_KEY: (JSON.parse(stdout) as { api_key: string }).api_key }
  const file = await put('a.ndjson', mixedLines(database.supplier, 10).join('\n'))
  t.like(JSON.parse((await run(['stage', file, '--json'], { environment })).stdout), {
    staged: 8,
    failed: 2,
  })
  const done = await run([...processAll(world), '--json'], { environment })
  t.is(done.code, 0, done.stdout + done.stderr)
  t.like(JSON.parse(done.stdout), { accounts: 8, created: 8 })
})

test('processing all staged accounts waits until the service is ready, and reports a cut response', async (t) => {
  const world = await importing(t, server)
  const { database, address, put, run, summary } = world
  await summary(await put('a.ndjson', mixedLines(database.supplier, 20).join('\n')), ['--only', 'stage'], 1)
  const busy = { kind: 'answer', status: 503 } as const
  const { baseUrl } = await faultyProxy(t, address, [busy, busy, { kind: 'break', lines: 5 }])
  const process = [...processAll(world), '--json']
  const cut = await run([...process, '--url', baseUrl])
  t.is(cut.code, 1, cut.stderr)
  const said = JSON.parse(cut.stdout) as { go_on: string }
  t.like(said, { error: { code: 'answer_cut' }, created: 5 })
  t.regex(said.go_on, / process /)
  const again = await run(process)
  t.is(again.code, 0, again.stdout)
  t.like(JSON.parse(again.stdout), { failed: 0 })
})

test('a refusal of one supplier fails its accounts only', async (t) => {
  const world = await importing(t, server)
  const { database, put, summary, rows, path } = world
  const other = await otherSupplier(t, world, '--status', 'paused')
  const lines = [other, 'NOBODY', database.supplier].map((supplier) =>
    JSON.stringify(gasAccount(supplier, 'A')),
  )
  const file = await put('a.ndjson', lines.join('\n'))
  t.like(await summary(file, ['--dry-run'], 1), { would_create: 1, failed: 2 })
  t.like(await summary(file, [], 1), { created: 1, failed: 2 })
  const processed = await summary(file, ['--only', 'process', '--errors', path('e')], 1)
  t.like(processed, { existing: 1, failed: 2 })
  t.deepEqual(
    (await rows('e')).map((row) => row.find((cell) => cell.startsWith('import_supplier_'))),
    ['import_supplier_migration_not_ongoing', 'import_supplier_does_not_exist'],
  )
})

test('steps may run apart: staging, then creation by number or of all staged accounts', async (t) => {
  const world = await importing(t, server)
  const { database, client, put, run, summary, path, rows } = world
  const [some, others] = [mixedLines(database.supplier, 20, 'A'), mixedLines(database.supplier, 20, 'B')]
  const a = await put('a.ndjson', some.join('\n'))
  const b = await put('b.ndjson', others.join('\n'))
  t.like(await summary(a, ['--only', 'validate'], 1), { valid: 16, failed: 4 })
  const staged = await run(['stage', a, '--json'])
  t.is(staged.code, 1)
  t.like(JSON.parse(staged.stdout), { staged: 16, failed: 4, created: 0 })
  t.is((await run(['stage', b])).code, 1)
  t.like(await summary(a, ['--only', 'process'], 1), { created: 16, failed: 4 })
  t.is((await importedOf(client, database.supplier)).size, 16)

  const process = processAll(world)
  const trial = await run([...process, '--dry-run', '--json'])
  t.like(JSON.parse(trial.stdout), { accounts: 16, valid: 16, created: 0 })
  const done = await run([...process, '--json', '--mapping', path('m')])
  t.is(done.code, 0, done.stderr)
  t.like(JSON.parse(done.stdout), { accounts: 16, created: 16, failed: 0 })
  t.is((await importedOf(client, database.supplier)).size, 32)
  t.is((await rows('m')).length, 16)
  t.like(JSON.parse((await run([...process, '--json'])).stdout), { accounts: 0 })
})

test('a repeated number, and a supply point of two accounts, are reported', async (t) => {
  const { database, put, summary } = await importing(t, server)
  const { supplier } = database
  const { supply_addresses: _, ...other } = gasAccount(supplier, 'B')
  const payloads = [gasAccount(supplier, 'A'), other, gasAccount(supplier, 'C'), other]
  const file = await put('a.ndjson', payloads.map((each) => `${JSON.stringify(each)}\n`).join(''))
  t.like(await summary(file, [], 0), {
    repeated_accounts: { examples: [{ line: 4, first_line: 2 }] },
    shared_supply_points: { count: 1, examples: [{ line: 3, first_line: 1 }] },
  })
})

test('status shows the progress of a supplier, and --watch follows it until nothing is left', async (t) => {
  const world = await importing(t, server)
  const { database, put, run, summary } = world
  const { supplier } = database
  await summary(await put('a.ndjson', mixedLines(supplier, 10).join('\n')), ['--only', 'stage'], 1)
  const json = await run(['status', supplier, '--json'])
  const { latest_run: latest, ...counts } = JSON.parse(json.stdout) as Record<string, unknown>
  t.like(latest, { counts: { staged: 8, failed: { stage: 2 } } })
  t.deepEqual(counts, {
    total: 8,
    staged: 8,
    in_progress: 0,
    created: 0,
    skipped: 0,
    failed: 0,
    errors: [],
  })
  t.regex((await run(['status', supplier])).stdout, /total: +8\nstaged: +8\n/)
  const watched = run(['status', supplier, '--watch'])
  await run(processAll(world))
  const { code, stdout, stderr } = await watched
  t.is(code, 0)
  t.regex(stderr, /staged \d, in progress \d/)
  t.regex(stdout, /created: +8/)
  t.regex(stdout, /refused when staged: +2/)
  const watchedJson = await run(['status', supplier, '--watch', '--json'])
  t.is(watchedJson.stdout, (await run(['status', supplier, '--json'])).stdout)
  t.like(await run(['status', 'NOBODY']), { code: 2 })
})

test('status --watch that starts before the import survives an outage, and ends when nothing changes', async (t) => {
  const { address, database, put, run, summary } = await importing(t, server)
  const { supplier } = database
  const away = { kind: 'answer', status: 503, headers: { 'Retry-After': '1' } } as const
  const proxy = await faultyProxy(t, address, [{ kind: 'pass' }, away, { kind: 'break', lines: 0 }])
  const watched = run(['status', supplier, '--watch', '--url', proxy.baseUrl])
  while (proxy.seen.length < 4) await setTimeout(50)
  const file = await put('a.ndjson', mixedLines(supplier, 10).join('\n'))
  await summary(file, [], 1)
  const { code, stdout, stderr } = await watched
  t.is(code, 0, stderr)
  t.regex(stderr, /staged 0, in progress 0, created 0/)
  t.regex(stdout, /created: +8/)
})

test('status --watch of a refusing or silent service ends by itself or by a signal', async (t) => {
  const { address, database, run } = await importing(t, server)
  const proxy = await faultyProxy(t, address, [{ kind: 'silence' }])
  const watch = ['status', database.supplier, '--watch', '--url', proxy.baseUrl]
  const child = spawnCli(watch, { ACCOUNT_IMPORT_API_KEY: database.apiKey })
  const ended = outcomeOf(child)
  while (proxy.seen.length === 0) await setTimeout(50)
  child.kill('SIGINT')
  t.like(await ended, { code: 130, stdout: '' })
  t.like(await run(['status', 'NOBODY', '--watch']), { code: 2 })
})
