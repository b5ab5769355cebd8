import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { cliInProcess } from '../support/cli-in-process.js'
import { bin, outcomeOf, spawnCli } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { converting, duckDbTest as test } from './support.js'

test('the bundled example converts, each error names its row, and the corrected export is valid', async (t) => {
  const { folder, path, table, text } = await converting(t)
  const example = join(folder, 'export')
  const begun = await cliInProcess(['convert', '--init', example, '--json'], {})
  t.is(begun.code, 0, begun.stderr)
  const written = ['contracts.csv', 'customers.csv', 'mapping.sql', 'payments.csv']
  t.deepEqual((await readdir(example)).toSorted(), written)
  const outputs = ['out.ndjson', 'errors.csv', 'failed.csv'].map(path)
  const [out = '', errors = '', failures = ''] = outputs
  const command = `convert ${join(example, 'mapping.sql')} --set supplier=LEVANTE --json --out ${out} --errors ${errors} --failures ${failures}`
  const run = () => cliInProcess(command.split(' '), {})
  const first = await run()
  t.is(first.code, 1, first.stderr)
  t.like(JSON.parse(first.stdout), {
    accounts: 7,
    valid: 4,
    valid_with_warnings: 2,
    failed: 3,
    written: { out },
  })
  t.deepEqual(
    (await table('failed.csv')).map(({ source, codes }) => [source, codes]),
    [
      ['cliente=10258', 'invalid_phone_number'],
      ['cliente=10279', 'customer_family_name_required'],
      ['cliente=10300', 'invalid'],
    ],
  )
  t.true(
    (await table('errors.csv')).every(({ source }) => source?.startsWith('cliente=103') || source !== ''),
  )
  t.regex(
    await text('out.ndjson'),
    /"family_name":"Peña Molina".*"postal_code":"08207".*"last_statement_balance":"-32.07"/,
  )
  const corrected = async (name: string, from: string, to: string): Promise<void> => {
    const content = await readFile(join(example, name), 'latin1')
    t.true(content.includes(from))
    await writeFile(join(example, name), content.replace(from, to), 'latin1')
  }
  await corrected('customers.csv', ';60012;', ';600 120 345;')
  await corrected('customers.csv', ';Elena;;', ';Elena;Romero;')
  await corrected('customers.csv', ';NULL;', ';;')
  await corrected('customers.csv', 'MuÃ±oz', 'Muñoz')
  await corrected('contracts.csv', ';31/11/2024;', ';30/11/2024;')
  const second = await run()
  t.is(second.code, 0, second.stderr)
  t.like(JSON.parse(second.stdout), { accounts: 7, valid: 7, valid_with_warnings: 0 })
  t.is((await cliInProcess(['validate', out], {})).code, 0)
  // A file that is there already stays.
  const again = await cliInProcess(['convert', '--init', example], {})
  t.is(again.code, 3)
  t.regex(again.stderr, /cannot be filled \(EEXIST\)/)
})

test('accounts have the values of the query: decimals exactly, texts unchanged, and no null', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', 'no\n1\n')
  const odd = '{"a":null,"b":1},"c":null}\\'
  const [first] = await accounts(`
    CREATE TABLE one AS SELECT '${odd}' AS odd; -- a ; in a comment
    SELECT odd AS external_account_number, ';' AS billing_name, NULL AS billing_postcode, 0.1::DECIMAL(38, 20) AS tiny,
      99999999.99::DECIMAL(10, 2) AS big, DATE '2024-02-29' AS day, true AS yes, 5::BIGINT AS five,
      {a: NULL, b: {c: NULL}, d: NULL} AS nested, [{x: NULL::INT, y: 1}, {x: 2, y: NULL}] AS items, '{"k": [1.50]}'::JSON AS json,
      ['x,', ':null, y', NULL, 'z'] AS list, [[{p: ',"q":null'}], NULL, []] AS nested_lists, {"a ""b": 'c'} AS quoted
    FROM one; -- the end; really
  `)
  t.deepEqual(first, {
    external_account_number: odd,
    billing_name: ';',
    tiny: 0.1,
    big: 99999999.99,
    day: '2024-02-29',
    yes: true,
    five: 5,
    nested: { b: {} },
    items: [{ y: 1 }, { x: 2 }],
    json: { k: [1.5] },
    list: ['x,', ':null, y', null, 'z'],
    nested_lists: [[{ p: ',"q":null' }], null, []],
    quoted: { 'a "b': 'c' },
  })
})

test('an amount that a number cannot hold is an error, and no amount is rounded', async (t) => {
  const { convert, path, put, table, text } = await converting(t)
  await put('a.csv', 'no\n1\n')
  const amounts = ['1204.10', '12345678.91', '9007199254740993.00', '0.30']
  const rows = amounts.map((amount, at) => `('${at}', '${amount}'::DECIMAL(30, 2))`).join(', ')
  const sql = `SELECT 'S' AS import_supplier, n AS external_account_number, true AS unknown_occupier,
    [{ledger_code: 'L', ledger_balance: a}] AS ledgers, n AS _n FROM (VALUES ${rows}) v(n, a)`
  await convert(sql, ['--out', path('o'), '--errors', path('e.csv')])
  const written = [...(await text('o')).matchAll(/"ledger_balance":([\d.]+)/g)].map(([, amount]) => amount)
  t.deepEqual(written, amounts)
  const found = (await table('e.csv')).filter(({ severity }) => severity === 'error')
  t.deepEqual(
    found.map(({ source, code }) => [source, code]),
    [['n=2', 'max_digits']],
  )
})

const refusals: readonly (readonly [what: string, sql: string, words: RegExp])[] = [
  [
    'a missing column',
    'SELECT c.nombre AS billing_name FROM a c',
    /^a\.csv has no column nombre; it has: no, name\.$/m,
  ],
  ['a query that is not SQL', 'SELEC 1', /syntax error at or near "SELEC"/],
  ['nothing', '-- nothing', /The mapping has no statement/],
  ['two columns of a name', 'SELECT 1 AS a, 2 AS a', /two columns a\./],
  ['a mapping without fields', 'SELECT 1 AS _a', /no column that is a field/],
  [
    'a value that is no number',
    "SELECT CAST('12,5 secret' AS DECIMAL(9, 2)) AS a",
    /Conversion Error: Could not convert string … to DECIMAL/,
  ],
  [
    'a value that is no date',
    "SELECT CAST('31.02.secret' AS DATE) AS a",
    /Conversion Error: invalid date field format: …/,
  ],
  [
    'a value that is no date, with a line break in it',
    "SELECT CAST('31.02.' || chr(10) || 'sec' || 'ret Line' AS DATE) AS a",
    /Conversion Error: invalid date field format: …/,
  ],
  [
    'a value that is no JSON',
    `SELECT CAST('{"secret": "secret' AS JSON) AS a`,
    /Conversion Error: Malformed JSON/,
  ],
  ['a second query', 'SELECT 1 AS a; SELECT 2 AS a', /A mapping is one query/],
]

for (const [what, sql, words] of refusals)
  test(`${what} is refused, and no file is written`, async (t) => {
    const { convert, path, put, names } = await converting(t)
    await put('a.csv', 'no;name\n1;Ana\n')
    const { code, stderr } = await convert(sql, ['--out', path('o')])
    t.is(code, 2, stderr)
    t.regex(stderr, words)
    t.notRegex(stderr, /secret/)
    t.deepEqual(await names(), ['a.csv', 'mapping.sql'])
  })

test('without DuckDB convert says how to install it, and other commands work', async (t) => {
  const { put } = await converting(t)
  const hooks = `export const resolve = (name, context, next) => { if (name.startsWith('@duckdb/')) throw new Error('gone'); return next(name, context) }`
  const url = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
  const preload = `import { register } from 'node:module'; register(${JSON.stringify(url(hooks))})`
  const environment = { NODE_OPTIONS: `--import=${url(preload)}` }
  const without = (args: readonly string[]) => outcomeOf(spawnCli(args, environment, bin))
  const converted = await without([
    'convert',
    await put('m.sql', "-- source a = a.csv; delimiter ';'; key none\nSELECT 1 AS a"),
    '--json',
  ])
  t.is(converted.code, 3, converted.stderr)
  t.like(JSON.parse(converted.stdout), { error: { code: 'duckdb_missing' } })
  t.regex(converted.stderr, /npm install @duckdb\/node-api@/)
  t.is((await without(['validate', await put('a.ndjson', ''), '--allow-empty'])).code, 0)
  t.is((await without(['convert', '--help'])).code, 0)
})

test('a conversion removes the folders of killed ones, and no other', async (t) => {
  const { put } = await converting(t)
  const TMPDIR = await tempFolder(t)
  const ofProcess = (pid: number): string => `account-import-convert-${hostname()}-${pid}-x`
  // No process has such a number: the system's highest is 4,194,304.
  const names = [ofProcess(99_999_999), ofProcess(process.pid), 'account-import-convert-x']
  for (const name of names) await mkdir(join(TMPDIR, name))
  await put('a.csv', 'no\n1\n')
  const sql = await put(
    'm.sql',
    "-- source a = a.csv; delimiter ';'; key none\nSELECT no AS billing_name FROM a",
  )
  await outcomeOf(spawnCli(['convert', sql], { TMPDIR }, bin))
  t.deepEqual((await readdir(TMPDIR)).toSorted(), names.slice(1).toSorted())
})

test('a signal ends a running query and leaves no file', async (t) => {
  const { path, put, names } = await converting(t)
  const TMPDIR = await tempFolder(t)
  await put('a.csv', 'no\n1\n')
  const own = (): Promise<readonly string[]> => readdir(TMPDIR)
  const sql = await put(
    'm.sql',
    `-- source a = a.csv; delimiter ';'; key none
SELECT sum(a.range * b.range * length(c.no))::VARCHAR AS x FROM range(1000000) a, range(1000000) b, a c`,
  )
  const child = spawnCli(['convert', sql, '--out', path('o')], { TMPDIR }, bin)
  const ended = outcomeOf(child)
  while ((await own()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  const { code, stderr } = await ended
  t.is(code, 130, stderr)
  t.deepEqual(await names(), ['a.csv', 'm.sql'])
  t.deepEqual(await own(), [])
})
