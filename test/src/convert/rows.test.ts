import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { type Converting, converting, duckDbTest as test } from './support.js'

type Rows = Readonly<{
  file: string
  rows: number
  key_found: number | null
  first_unused: unknown
  sums: unknown
}>

/** The example of `--init`, with changed files, and the command on it. */
const example = async (
  t: ExecutionContext,
): Promise<Converting & { folder: string; run: (args: string) => ReturnType<typeof cliInProcess> }> => {
  const files = await converting(t)
  const folder = join(files.folder, 'export')
  await cliInProcess(['convert', '--init', folder], {})
  return {
    ...files,
    folder,
    run: (args) =>
      cliInProcess(
        `convert ${join(folder, 'mapping.sql')} --set supplier=LEVANTE ${args}`.trim().split(' '),
        {},
      ),
  }
}

const change = async (path: string, edit: (text: string) => string): Promise<void> =>
  writeFile(path, edit(await readFile(path, 'latin1')), 'latin1')

const rowsIn = (stdout: string): readonly Rows[] =>
  (JSON.parse(stdout) as { sources: readonly Rows[] }).sources

test('a row that no account uses is counted and named, the sums include its amount, and the exit code is 1', async (t) => {
  const { folder, run, path, text } = await example(t)
  await appendFile(
    join(folder, 'contracts.csv'),
    '99999;ES0021721654692203HM1P;2.0TD;4,6;12/09/2020;30/09/2025\n',
  )
  await appendFile(join(folder, 'payments.csv'), '99999;P-9;08/10/2025;500,00\n')
  const { code, stderr } = await run(`--report ${path('r.html')}`)
  t.is(code, 1)
  t.regex(stderr, /^contracts\.csv: 8 rows read, key found for 7; first unused: line 9 \(cliente = 99999\)$/m)
  t.regex(stderr, /^ {2}sum of importe_eur 1547\.07, key found 1047\.07, in the accounts 1047\.07 \(.*\)$/m)
  const report = await text('r.html')
  t.regex(
    report,
    /payments\.csv[\s\S]*5 rows read, key found for 4, .*; first unused: line 6[\s\S]*1547\.07, key found 1047\.07/,
  )
  t.notRegex(report, /99999/)
  const [, contracts] = rowsIn((await run('--json')).stdout)
  t.like(contracts, {
    file: 'contracts.csv',
    rows: 8,
    key_found: 7,
    first_unused: { line: 9, key: 'cliente', value: '99999' },
  })
})

test('terminal, report and tables name file and key of the row of a finding, and no line of the accounts', async (t) => {
  const { folder, run, path, table, text } = await example(t)
  await change(join(folder, 'contracts.csv'), (content) =>
    content.replace('ES0024721654407119JE', 'ES0031721654343767NB1P'),
  )
  await appendFile(join(folder, 'customers.csv'), '10237;Ana;Gil;;;;CL;Nueva;1;Palma;Palma;07008;0,00\n')
  const { stderr } = await run(
    `--report ${path('r.html')} --errors ${path('e.csv')} --failures ${path('f.csv')}`,
  )
  for (const found of [stderr, (await text('r.html')).replaceAll(/\s+/g, ' ')]) {
    t.regex(found, /customers\.csv cliente=10258/)
    t.regex(found, /customers\.csv cliente=10237 repeats customers\.csv cliente=10237/)
    t.regex(
      found,
      /customers\.csv cliente=10244 \(account L-10244\) has the supply point of customers\.csv cliente=10237/,
    )
    t.notRegex(found, /\bline \d|FIRST LINE/)
  }
  t.regex(await text('r.html'), /Converted by[\s\S]*mapping\.sql/)
  for (const name of ['e.csv', 'f.csv'])
    t.true(
      (await table(name)).every(
        ({ file, source }) => file === 'customers.csv' && /^cliente=\d+$/.test(source ?? ''),
      ),
    )
})

test('unused rows alone give exit code 1, and --allow-unused accepts them', async (t) => {
  const { convert, put } = await converting(t)
  await put('a.csv', 'n;f\n1;Ana\n2;Eva\n')
  const account = `{account_roles: ['ACCOUNT_HOLDER'], given_name: f, family_name: f}`
  const sql = `-- source a = a.csv; delimiter ';'; key n
    SELECT 'S' AS import_supplier, n AS external_account_number, [${account}] AS customers, n AS _n FROM a WHERE n = '1'`
  const refused = await convert(sql)
  t.is(refused.code, 1, refused.stderr)
  t.regex(
    refused.stderr,
    /a\.csv: 2 rows read, key found for 1; first unused: line 3 \(n = 2\)[\s\S]*--allow-unused/,
  )
  const accepted = await convert(sql, ['--allow-unused'])
  t.is(accepted.code, 0, accepted.stderr)
})

test('rows whose keys end with a blank are unused', async (t) => {
  const { folder, run } = await example(t)
  await change(join(folder, 'contracts.csv'), (text) => text.replaceAll(/^(\d{5});/gm, '$1 ;'))
  const { code, stderr } = await run('')
  t.is(code, 1)
  t.regex(stderr, /contracts\.csv: 7 rows read, key found for 0; first unused: line 2 \(cliente = 10237 \)/)
})

test('a key may be an expression, a list in an account, or none', async (t) => {
  const { convert, put } = await converting(t)
  await put('a.csv', 'n;f\n1;Ana\n')
  await put('b.csv', 'n;id\n01 ;x\n01;y\n')
  await put('c.csv', 'id;v\nx;1\nz;2\n')
  await put('d.csv', 'code;name\nA;b\n')
  const { stdout } = await convert(
    `-- source a = a.csv; delimiter ';'; key n
-- source b = b.csv; delimiter ';'; key ltrim(trim(n), '0') as n
-- source c = c.csv; delimiter ';'; key id; sum v
-- source d = d.csv; delimiter ';'; key none
SELECT n AS external_account_number, n AS _n, (SELECT list(b.id) FROM b WHERE ltrim(trim(b.n), '0') = a.n) AS _id,
  [{ledger_code: 'L', ledger_balance: (SELECT sum(c.v::DECIMAL(9, 2)) FROM b JOIN c USING (id) WHERE ltrim(trim(b.n), '0') = a.n)}] AS ledgers,
  (SELECT max(name) FROM d) AS billing_name FROM a`,
    ['--json'],
  )
  t.deepEqual(
    rowsIn(stdout).map(({ rows, key_found: found, first_unused: unused, sums }) => [
      rows,
      found,
      unused,
      sums,
    ]),
    [
      [1, 1, null, []],
      [2, 2, null, []],
      [
        2,
        1,
        { line: 3, key: 'id', value: 'z' },
        [
          {
            name: 'v',
            all: '3.00',
            key_found: '1.00',
            field: 'ledgers.ledger_balance',
            accounts: '1.00',
            difference: '0.00',
            without_number: 0,
          },
        ],
      ],
      [1, null, null, []],
    ],
  )
})

test('a mapping without a column for the keys is refused, and the message says what to add', async (t) => {
  const { convert, put } = await converting(t)
  await put('a.csv', 'n\n1\n')
  const { code, stderr } = await convert(
    "-- source a = a.csv; delimiter ';'; key n\nSELECT n AS billing_name FROM a",
  )
  t.is(code, 2)
  t.regex(stderr, /no column for the key of a: add c\.n AS _n/)
})

test('an import sends nothing when rows are unused', async (t) => {
  const { folder, run, path } = await example(t)
  await appendFile(join(folder, 'payments.csv'), '99999;P-9;08/10/2025;500,00\n')
  await writeFile(path('key'), 'k')
  // No service is at this address: a request would end with code 3.
  const sent = `--import --url http://127.0.0.1:9 --team T --api-key-file ${path('key')} --retry-for 0`
  const { code, stderr } = await run(sent)
  t.is(code, 1, stderr)
  t.regex(stderr, /^Nothing was sent: [\s\S]*payments\.csv: 5 rows read, key found for 4/)
  t.is((await run(`${sent} --allow-unused`)).code, 3)
})

test('the macros of the example leave values of another form unchanged and raise no error', async (t) => {
  const { folder, run, path, text } = await example(t)
  const edits: readonly (readonly [file: string, from: string, to: string])[] = [
    ['customers.csv', ';-32,07', ';32.07'],
    ['customers.csv', ';8207;', ';820712;'],
    ['contracts.csv', ';4,6;15/06/2023', ';4,6 kW;15/06/23'],
    ['contracts.csv', ';5,75;', ';20/20/20/20/20/30;'],
    ['payments.csv', ';32,07', ';1.204'],
  ]
  for (const [file, from, to] of edits)
    await change(join(folder, file), (content) => {
      t.true(content.includes(from))
      return content.replace(from, to)
    })
  const { code, stderr } = await run(`--out ${path('o')}`)
  t.is(code, 1, stderr)
  const [first = '', second = ''] = (await text('o')).split('\n')
  t.regex(
    first,
    /"postal_code":"820712".*"supply_start_date":"15\/06\/23".*"4,6 kW","4,6 kW".*"last_statement_balance":"32.07".*"amount":"1.204"/,
  )
  t.regex(second, /"20\/20\/20\/20\/20\/30"/)
})

test('a query in parts gives the same accounts when one file has text keys and the other number keys', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', `n;f\n${Array.from({ length: 12 }, (_, at) => `00${at + 1};F${at % 5}`).join('\n')}\n`)
  await put('b.csv', `n;t\n${Array.from({ length: 12 }, (_, at) => `${12 - at};T${at}`).join('\n')}\n`)
  const bodies = [
    `SELECT a.n AS external_account_number, a.n AS _n, (SELECT list(b.t) FROM b WHERE b.n::INT = a.n::INT) AS notes FROM a WHERE f <> 'F9' OR f = 'x' ORDER BY f, a.n`,
    `SELECT a.n AS external_account_number, any_value(a.n) AS _n, list(b.t) AS notes, rank() OVER (ORDER BY a.n) AS place
     FROM a JOIN b ON b.n::INT = a.n::INT GROUP BY a.n ORDER BY a.n DESC LIMIT 11`,
    `SELECT n AS external_account_number, n AS _n FROM a UNION ALL SELECT n, NULL FROM b`,
    `CREATE MACRO place_of(x) AS row_number() OVER (ORDER BY x::INT); CREATE MACRO named(x) AS 'P' || place_of(x);
     SELECT a.n AS external_account_number, a.n AS _n, named(a.n) AS billing_name FROM a ORDER BY a.n`,
  ]
  for (const body of bodies) {
    const sql = `-- source a = a.csv; delimiter ';'; key n\n-- source b = b.csv; delimiter ';'; key none\n${body}`
    const whole = await accounts(sql)
    t.true(whole.length > 10)
    for (const slices of ['4', '50']) t.deepEqual(await accounts(sql, ['--slices', slices]), whole)
  }
})
