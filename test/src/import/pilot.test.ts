import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import ava from 'ava'
import {
  importedOf,
  importing,
  mixedLines,
  startImportServer,
  type Importing,
  type ImportServer,
} from './support/importing.js'
import { duckDbTest } from '../convert/support.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { gasAccount } from '../support/samples.js'

// One after the other: an organisation is made on the database of the server while no import writes to it.
const test = ava.serial

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

const validLines = (supplier: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => JSON.stringify(gasAccount(supplier, `N-${at}`)))

const createdIn = async ({ client, database }: Importing): Promise<readonly string[]> => [
  ...(await importedOf(client, database.supplier)).keys(),
]

/** All rows of the tables that hold accounts. */
/** A row, without its audit events, which the server seals in the background. */
const lasting = (row: object): string =>
  JSON.stringify(row, (name, value: unknown) => (name.startsWith('unsealed') ? undefined : value))

const tablesOf = async ({ database: { knex, organisation } }: Importing): Promise<string> => {
  const tables = ['account_imports', 'account_items', 'customer_emails', 'idempotency_records']
  const rows = await Promise.all(tables.map((table) => knex(table).where({ organisation })))
  const texts = rows.map((each) => each.map(lasting).toSorted())
  return JSON.stringify(texts)
}

test('a limit takes the first accounts of the input, and the whole import creates the rest', async (t) => {
  const world = await importing(t, server)
  const { database, put, path, rows, run, summary } = world
  const lines = mixedLines(database.supplier, 20)
  const file = await put('a.ndjson.gz', gzipSync(`\n${lines.join('\r\n\r\n')}`))
  const pilot = await summary(file, ['--limit', '5', '--failures', path('f.csv')], 1)
  t.like(pilot, { accounts: 5, created: 4, failed: 1, lines: 40, selection: { limit: 5, sample: null } })
  t.deepEqual(await createdIn(world), ['N-0', 'N-1', 'N-2', 'N-4'])
  t.deepEqual(
    (await rows('f.csv')).map(([, line]) => line),
    ['8'],
  )
  const shown = await run(['import', '-', '--team', database.team, '--limit', '2'], {
    input: Readable.from([Buffer.from(lines.join('\n'))]),
  })
  t.is(shown.code, 0, shown.stderr)
  t.regex(shown.stderr, /2 accounts in .*\n.*created before 2\.\nOnly the first 2 accounts\./)
  t.like(await summary(file, [], 1), { accounts: 20, created: 12, existing: 4, failed: 4 })
})

test('a limit leaves out lines that are too long too', async (t) => {
  const { database, put, summary } = await importing(t, server)
  const long = JSON.stringify({ padding: 'x'.repeat(6 * 1024 * 1024) })
  const [first = '', last = ''] = validLines(database.supplier, 2)
  const file = await put('a.ndjson', [first, long, last].join('\n'))
  t.like(await summary(file, ['--limit', '1'], 0), { accounts: 1, created: 1, failed: 0, lines: 3 })
  t.like(await summary(file, ['--limit', '2'], 1), { accounts: 2, existing: 1, failed: 1, lines: 3 })
})

test('a sample has exactly its size, and its seed chooses the same accounts again', async (t) => {
  const world = await importing(t, server)
  const { database, put, run, summary } = world
  const file = await put('a.ndjson', validLines(database.supplier, 60).join('\n\n'))
  const sampled = (seed: string) => summary(file, ['--sample', '10', '--seed', seed, '--dry-run'], 0)
  t.like(await sampled('1'), {
    accounts: 10,
    would_create: 10,
    selection: { limit: null, sample: { accounts: 10, seed: 1, of: 60 } },
  })
  const chosen = await run(['import', file, '--team', database.team, '--sample', '10'])
  t.is(chosen.code, 0, chosen.stderr)
  const [, seed = ''] =
    /A sample of 10 of 60 accounts; --seed (\d+) chooses it again\./.exec(chosen.stderr) ?? []
  const created = await createdIn(world)
  t.is(created.length, 10)
  t.like(await sampled(seed), { existing: 10, would_create: 0 })
  t.like(await sampled(String(Number(seed) + 1)), { accounts: 10 })
  // Another seed chooses others; that it chose the same 10 of 60 is one chance in 75 thousand millions.
  t.not((await sampled(String(Number(seed) + 1))).existing, 10)
  t.like(await summary(file, ['--limit', '10', '--sample', '4', '--only', 'stage'], 0), {
    accounts: 4,
    selection: { limit: 10, sample: { accounts: 4, of: 10 } },
  })
  t.like(await summary(file, ['--sample', '100'], 0), { accounts: 60, created: 50, existing: 10 })
})

test('a sample of a stream, and a seed without a sample, are refused, and the command to resume names the seed', async (t) => {
  const { database, put, run } = await importing(t, server)
  const file = await put('a.ndjson', validLines(database.supplier, 1).join('\n'))
  const input = Readable.from([Buffer.from('{}\n')])
  const import_ = (...args: readonly string[]) =>
    run(['import', ...args, '--team', database.team, '--json'], { input })
  for (const [args, code] of [
    [['-', '--sample', '5'], 'input_read_once'],
    [[file, '--seed', '5'], 'usage'],
  ] as const) {
    const outcome = await import_(...args)
    t.is(outcome.code, 2, outcome.stdout)
    t.like(JSON.parse(outcome.stdout), { error: { code } })
  }
  t.is((await import_(`${file}-none`, '--sample', '5')).code, 3)
  const away = await import_(file, '--sample', '1', '--url', 'http://127.0.0.1:9', '--retry-for', '0')
  t.is(away.code, 3, away.stdout)
  t.regex((JSON.parse(away.stdout) as { go_on: string }).go_on, / --sample 1 .*--seed \d+/)
})

duckDbTest('a limit applies to converted accounts', async (t) => {
  const world = await importing(t, server)
  const { database, put, run } = world
  await put('a.csv', 'n\n0\n1\n2\n3\n4\n')
  const sql = `-- source a = a.csv; delimiter ';'; key n
    SELECT getvariable('supplier') AS import_supplier, 'C-' || n AS external_account_number, n AS _n,
    [{account_roles: ['ACCOUNT_HOLDER'], given_name: 'Ana', family_name: 'Peña'}] AS customers FROM a ORDER BY n`
  const args = [
    '--set',
    `supplier=${database.supplier}`,
    '--import',
    '--team',
    database.team,
    '--limit',
    '2',
    '--json',
  ]
  const { code, stdout, stderr } = await run(['convert', await put('m.sql', sql), ...args])
  t.is(code, 0, stderr)
  t.like(JSON.parse(stdout), { accounts: 2, created: 2 })
})

test('a dry run reports accounts to be created, replaced, skipped and refused, and changes nothing', async (t) => {
  const world = await importing(t, server)
  const { database, put, path, rows, run, summary } = world
  const { supplier, environment } = database
  const lines = mixedLines(supplier, 10)
  await summary(await put('created.ndjson', lines.slice(0, 2).join('\n')), [], 0)
  await summary(await put('staged.ndjson', lines.slice(2, 3).join('\n')), ['--only', 'stage'], 0)
  const skip = ['skip', supplier, 'N-4']
  t.is((await cliInProcess(skip, environment)).code, 0)
  const other = JSON.stringify({ ...gasAccount(supplier, 'N-1'), sales_subchannel: 'Otra oficina' })
  const file = await put('a.ndjson', lines.with(1, other).join('\n'))
  const before = await tablesOf(world)
  const told = await summary(file, ['--dry-run', '--failures', path('f.csv')], 1)
  t.is(await tablesOf(world), before)
  t.like(told, { accounts: 10, would_create: 4, would_replace: 1, existing: 1, differing: 1, failed: 3 })
  t.deepEqual(
    told.errors
      .map(({ code, accounts }) => [code, accounts])
      .filter(([code]) => String(code).startsWith('account_')),
    [
      ['account_already_imported', 1],
      ['account_marked_to_skip', 1],
    ],
  )
  t.deepEqual(
    (await rows('f.csv')).map(([number, , step]) => [number, step]),
    [
      ['N-1', 'stage'],
      ['N-3', 'validate'],
      ['N-4', 'stage'],
      ['N-8', 'validate'],
    ],
  )
  const shown = await run(['import', file, '--team', database.team, '--dry-run', '--limit', '3'])
  t.regex(shown.stderr, /would be replaced 1, created before 1, created before, with other data 1\./)
  t.like(await summary(file, ['--only', 'stage', '--dry-run', '--limit', '1'], 0), { existing: 1 })
  t.is(await tablesOf(world), before)
  t.like(await summary(file, [], 1), { created: 5, existing: 1, differing: 1, failed: 3 })
})
