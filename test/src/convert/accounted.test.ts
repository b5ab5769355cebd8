import { type Converting, converting, duckDbTest as test } from './support.js'

/** Customers, and three payments of two of them, one with a method that the table of methods lacks. */
const files: Readonly<Record<string, string>> = {
  'c.csv': 'n;f\n1;Soler\n2;Gil\n',
  'p.csv': 'n;id;e;m\n1;P1;10,00;A\n1;P2;20,00;B\n2;P3;500,00;Z\n',
  'm.csv': 'm;t\nA;DIRECT_CREDIT\nB;DIRECT_CREDIT\n',
}

const customers = "-- source c = c.csv; delimiter ';'; key n\n"
const payments = (more = ''): string =>
  `-- source p = p.csv; delimiter ';'; key n; sum replace(e, ',', '.') as e${more}\n`
const methods = "-- source m = m.csv; delimiter ';'; key none\n"
const named = ' = ledgers[].current_statement_transactions[].amount'

const payment = (type = "'DIRECT_CREDIT'"): string =>
  `{transaction_id: p.id, transaction_date: '2025-10-01', amount: replace(p.e, ',', '.'), type: 'PAYMENT', payment_type: ${type}}`

/** A query whose accounts have these lists of transactions. */
const query = (transactions: string, from = 'c'): string =>
  `SELECT 'S' AS import_supplier, c.n AS external_account_number, c.n AS _n, [{family_name: f, account_roles: ['ACCOUNT_HOLDER']}] AS customers,
    [{ledger_code: 'L', current_statement_transactions: (${transactions})}] AS ledgers FROM ${from} ORDER BY c._line`

const all = `SELECT list(${payment()} ORDER BY p.id) FROM p WHERE p.n = c.n`
const joined = `SELECT list(${payment('m.t')} ORDER BY p.id) FROM p JOIN m ON m.m = p.m WHERE p.n = c.n`

type Trial = Readonly<{
  what: string
  sql: string
  put?: Readonly<Record<string, string>>
  code: 0 | 1 | 2
  words: RegExp
}>

const unread = /^p\.csv: 3 rows read, and no field of the query is made of them$/m

const trials: readonly Trial[] = [
  {
    what: 'whose payments are all in the accounts is accepted',
    sql: customers + payments(named) + query(all),
    code: 0,
    words:
      /^p\.csv: 3 rows read, key found for 3, 1 with the key of an earlier row\n {2}sum of e 530\.00, key found 530\.00, in the accounts 530\.00 \(.*amount\)$/m,
  },
  {
    what: 'with a sum that names no field is accepted, if an amount of the accounts has the sum',
    sql: customers + payments() + query(all),
    code: 0,
    words: /in the accounts 530\.00 \(ledgers\.current_statement_transactions\.amount\)$/m,
  },
  {
    what: 'that loses a payment in a join has another sum in the accounts',
    sql: customers + payments(named) + methods + query(joined),
    code: 1,
    words: /sum of e 530\.00, key found 530\.00, in the accounts 30\.00 \(.*\): difference 500\.00$/m,
  },
  {
    what: 'that loses a payment in a join and names no field has the sum in no field',
    sql: customers + payments() + methods + query(joined),
    code: 1,
    words: /sum of e 530\.00, key found 530\.00, in no field of the accounts/,
  },
  {
    what: 'without a query for its payments names the file',
    sql: customers + payments() + query('NULL'),
    code: 1,
    words: unread,
  },
  {
    what: 'that reads its payments only for a column of keys names the file',
    sql:
      customers +
      payments() +
      query('NULL').replace('AS _n,', 'AS _n, (SELECT list(p.n) FROM p WHERE p.n = c.n) AS _p,'),
    code: 1,
    words: unread,
  },
  {
    what: 'whose table of payments is read by nothing names the file',
    sql: `${customers}${payments()}CREATE VIEW v AS FROM p; CREATE TABLE t AS FROM v; WITH w AS (FROM t) ${query('NULL')}`,
    code: 1,
    words: unread,
  },
  {
    what: 'that reads its payments by a macro, a view and a table is accepted',
    sql: `${customers}${payments(named)}CREATE VIEW v AS FROM p; CREATE TABLE t AS FROM v;
      CREATE MACRO of_account(k) AS (SELECT list(${payment()} ORDER BY p.id) FROM t p WHERE p.n = k); ${query('of_account(c.n)')}`,
    code: 0,
    words: /in the accounts 530\.00/,
  },
  {
    what: 'that drops duplicates has another sum, and the rows that share a key are counted',
    sql: `-- source c = c.csv; delimiter ';'; key n; sum b = ledgers[].ledger_balance
      SELECT 'S' AS import_supplier, n AS external_account_number, n AS _n, [{family_name: any_value(f), account_roles: ['ACCOUNT_HOLDER']}] AS customers,
        [{ledger_code: 'L', ledger_balance: min(b)}] AS ledgers FROM c GROUP BY n ORDER BY n`,
    put: { 'c.csv': 'n;f;b\n1;Soler;5.00\n1;Soler;7.50\n2;Gil;1.00\n' },
    code: 1,
    words:
      /^c\.csv: 3 rows read, key found for 3, 1 with the key of an earlier row\n {2}sum of b 13\.50, .* in the accounts 6\.00 \(.*\): difference 7\.50$/m,
  },
  {
    what: 'that keeps the last of several payments by a window has another sum',
    sql:
      customers +
      payments(named) +
      query(
        `SELECT list(${payment()}) FROM (FROM p QUALIFY row_number() OVER (PARTITION BY n ORDER BY id DESC) = 1) p WHERE p.n = c.n`,
      ),
    code: 1,
    words: /in the accounts 520\.00 \(.*\): difference 10\.00$/m,
  },
  {
    what: 'that reads each payment twice has a negative difference',
    sql: customers + payments(named) + query(`SELECT list(${payment()}) FROM p, range(2) WHERE p.n = c.n`),
    code: 1,
    words: /in the accounts 1060\.00 \(.*\): difference -530\.00$/m,
  },
  {
    what: 'counts the items of a list for rows without amounts',
    sql:
      customers +
      payments().replace(/sum .*/, 'sum 1 as payments = ledgers[].current_statement_transactions[]') +
      methods +
      query(joined),
    code: 1,
    words: /sum of payments 3\.00, key found 3\.00, in the accounts 2\.00 \(.*\): difference 1\.00$/m,
  },
  {
    what: 'with two sources for one field has the sum of both in the accounts',
    sql: `${customers}${payments(named)}-- source q = q.csv; delimiter ';'; key n; sum replace(e, ',', '.') as q${named}
      ${query(`SELECT list(${payment()}) FROM (FROM p UNION ALL FROM q) p WHERE p.n = c.n`)}`,
    put: { 'q.csv': 'n;id;e;m\n2;Q1;0,25;A\n' },
    code: 0,
    words: /sum of q 0\.25, key found 0\.25, in the accounts 530\.25/,
  },
  {
    what: 'with a row of totals names it in spite of an orphan in the next row',
    sql: customers + payments() + query(all),
    put: { 'p.csv': `${files['p.csv']}TOTAL;;530,00;\n99;P9;1,00;A\n`.replace('TOTAL', '') },
    code: 1,
    words: /^p\.csv: 5 rows read, key found for 3, .*; first unused: line 5 \(n = empty\)$/m,
  },
  {
    what: 'that ignores the rows of totals counts them, and names the orphan behind them',
    sql: customers + payments("; ignore n = 'TOTAL'; ignore id is null") + query(all),
    put: { 'p.csv': `${files['p.csv']}TOTAL;;530,00;\n1;;30,00;\n99;P9;1,00;A\n` },
    code: 1,
    words: /^p\.csv: 4 rows read, 2 ignored, key found for 3, .*; first unused: line 7 \(n = 99\)$/m,
  },
  {
    what: 'that ignores the only row without an account is accepted',
    sql: customers + payments(`${named}; ignore n = 'TOTAL; all'`) + query(all),
    put: { 'p.csv': `${files['p.csv']}TOTAL; all;;530,00;\n`.replace('TOTAL; all', '"TOTAL; all"') },
    code: 0,
    words: /^p\.csv: 3 rows read, 1 ignored, key found for 3/m,
  },
  {
    what: 'whose sum names an unknown field is refused',
    sql: customers + payments(' = ledgers[].balanse') + query(all),
    code: 2,
    words: /compares a sum with the field ledgers\[\]\.balanse, which an account does not have/,
  },
  {
    what: 'with a quote that swallows rows names the row over several lines, and the name with a line break',
    sql: customers + query('NULL'),
    put: { 'c.csv': 'n;f\n1;Mas\n2;"Soler\n3;Gil\n4;Prats"\n5;Roca\n' },
    code: 0,
    words:
      /line_break_in_text[\s\S]*^c\.csv: 3 rows read, 1 over several lines \(first: line 3\), key found for 3$/m,
  },
]

const tried = async (
  { convert, put, path }: Converting,
  { sql, put: more = {} }: Trial,
): Promise<Readonly<{ code: number | null; stderr: string }>> => {
  for (const [name, text] of Object.entries({ ...files, ...more })) await put(name, text)
  return convert(sql, ['--out', path('o'), '--severity', 'account_without_supply_points=off'])
}

for (const trial of trials)
  test(`a mapping ${trial.what}`, async (t) => {
    const { code, stderr } = await tried(await converting(t), trial)
    t.is(code, trial.code, stderr)
    t.regex(stderr, trial.words)
    t.notRegex(stderr, /\b(?:rows|\d) used\b/)
  })

test('a sum that differs keeps an import from sending anything', async (t) => {
  const { convert, put, path } = await converting(t)
  for (const [name, text] of Object.entries(files)) await put(name, text)
  await put('key', 'k')
  const { code, stderr } = await convert(
    customers + payments(named) + methods + query(joined),
    `--import --url http://127.0.0.1:9 --team T --api-key-file ${path('key')} --retry-for 0`.split(' '),
  )
  t.is(code, 1, stderr)
  t.regex(stderr, /^Nothing was sent: [\s\S]*difference 500\.00/)
})

test('lists without ORDER BY are the same in every run', async (t) => {
  const { accounts, put } = await converting(t)
  // Fewer rows are work for one thread, whatever the setting.
  const rows = Array.from({ length: 320_000 }, (_, at) => `${(at * 7919) % 2000};${at}`)
  await put('a.csv', `n;f\n${rows.join('\n')}\n`)
  const sql = `-- source a = a.csv; delimiter ';'; key n
    SELECT n AS external_account_number, n AS _n, list(f) AS notes, string_agg(f, ' ') AS billing_name, first(f) AS billing_address1,
      any_value(f) AS billing_address2, (SELECT list(b.f) FROM a b WHERE b.n = a.n) AS references FROM a GROUP BY n`
  const [first, second] = [await accounts(sql), await accounts(sql)]
  t.is(first.length, 2000)
  t.deepEqual(second, first)
})

const unset: readonly (readonly [sql: string, args: readonly string[], words: RegExp | undefined])[] = [
  [
    "SELECT getvariable('supplier') AS import_supplier FROM a",
    ['--set', 'suplier=S'],
    /^The mapping reads the variable supplier, which nobody set: add --set supplier=VALUE\. It does not read suplier\.$/m,
  ],
  [
    "CREATE MACRO s() AS upper(getVariable('Code')); SELECT s() AS import_supplier FROM a",
    [],
    /reads the variable code, which nobody set/,
  ],
  ["SELECT getvariable('supplier') AS import_supplier FROM a", ['--set', 'SUPPLIER=S'], undefined],
  ["SELECT coalesce(getvariable('supplier'), 'S') AS import_supplier FROM a", [], undefined],
  [
    "SELECT 'S' AS import_supplier FROM a WHERE getvariable('n') IS NULL OR n = getvariable('n')",
    [],
    undefined,
  ],
]

for (const [sql, args, words] of unset)
  test(`variables are ${words === undefined ? 'given' : 'missing'}: ${sql} ${args.join(' ')}`, async (t) => {
    const { convert, put, names } = await converting(t)
    await put('a.csv', 'n\n1\n')
    const { code, stderr } = await convert(sql, args)
    t.is(code === 2, words !== undefined, stderr)
    if (words !== undefined) t.regex(stderr, words)
    t.deepEqual(await names(), ['a.csv', 'mapping.sql'])
  })

const keys: readonly (readonly [key: string, header: string, words: RegExp])[] = [
  ['Nº CONTRATO', 'Nº CONTRATO', /is in double quotes: "Nº CONTRATO"$/m],
  [
    "nullif(Nº CONTRATO, '') as contrato",
    'Nº CONTRATO',
    /is in double quotes: nullif\("Nº CONTRATO", ''\)$/m,
  ],
  ['key-no', 'key-no', /a\.csv has no column key; it has: key-no, f\. .* is in double quotes: "key-no"$/m],
  ['order', 'order', /is in double quotes: "order"$/m],
]

for (const [key, header, words] of keys)
  test(`the key ${key} is refused, and the form in quotes is offered`, async (t) => {
    const { convert, put } = await converting(t)
    await put('a.csv', `${header};f\n1;Ana\n`)
    const { code, stderr } = await convert(
      `-- source a = a.csv; delimiter ';'; key ${key}\nSELECT f AS billing_name, 1 AS _n FROM a`,
    )
    t.is(code, 2)
    t.regex(stderr, words)
  })

test('a key in quotes, and a name with letters beyond ASCII, name the column of an account', async (t) => {
  const { convert, put } = await converting(t)
  await put('a.csv', 'Nº CONTRATO;f\n1;Ana\n2;Eva\n')
  const { stderr } = await convert(
    `-- source a = a.csv; delimiter ';'; key "Nº CONTRATO"
-- source b = a.csv; delimiter ';'; key nullif("Nº CONTRATO", '2') as CÓD_CLIENTE
SELECT a."Nº CONTRATO" AS external_account_number, a."Nº CONTRATO" AS "_Nº CONTRATO", a."Nº CONTRATO" AS _CÓD_CLIENTE, b.f AS billing_name
FROM a JOIN b USING ("Nº CONTRATO")`,
  )
  t.regex(stderr, /^a\.csv: 2 rows read, key found for 2$/m)
  t.regex(stderr, /^a\.csv: 2 rows read, key found for 1; first unused: line 3 \(CÓD_CLIENTE = empty\)$/m)
})

test('an error of SQL names the line of the mapping', async (t) => {
  const { convert, put } = await converting(t)
  await put('a.csv', 'n\n1\n')
  const { stderr } = await convert(
    `-- source a = a.csv; delimiter ';'; key none\n\nCREATE MACRO m(x) AS x;\nSELECT n AS billing_name,\n  nothing(n) AS billing_address1\nFROM a`,
  )
  t.regex(stderr, /^LINE 5: /m)
})
