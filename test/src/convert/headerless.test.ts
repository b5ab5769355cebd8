import { converting, duckDbTest as test } from './support.js'

const mapping = (options: string): string =>
  `-- source a = a.csv; delimiter ';'; key n; ${options}\nSELECT n AS external_account_number, f AS billing_name, n AS _n FROM a`

test('columns names those of a file without a header, and its first row is one', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', '1;Soler\r\n2;"Gil; Mas"\r\n')
  t.deepEqual(await accounts(mapping('columns n, "f"')), [
    { external_account_number: '1', billing_name: 'Soler' },
    { external_account_number: '2', billing_name: 'Gil; Mas' },
  ])
})

test('last empty takes the delimiter at the end of each row, with and without a header', async (t) => {
  const { accounts, put } = await converting(t)
  const expected = [{ external_account_number: '1', billing_name: 'Soler' }, { external_account_number: '2' }]
  await put('a.csv', 'n;f;\n1;Soler;\n2;;\n')
  t.deepEqual(await accounts(mapping('last empty')), expected)
  await put('a.csv', '1;Soler;\n2;;\n')
  t.deepEqual(await accounts(mapping('columns n, f; last empty')), expected)
})

test('rows that differ from the declaration are collected, the first one of a file without a header too', async (t) => {
  const { accounts, put, path, table } = await converting(t)
  await put('a.csv', '0;Mas;x\n1;Soler;\n2;Gil\n3;Mora;\r\n')
  t.deepEqual(await accounts(mapping('columns n, f; last empty'), ['--rejects', path('r.csv')]), [
    { external_account_number: '1', billing_name: 'Soler' },
  ])
  t.deepEqual(
    (await table('r.csv')).map(({ line, fault }) => [line, fault]),
    [
      ['1', 'the last cell is not empty'],
      ['3', '1 cell, the source declares 2'],
      ['4', 'the line ends with CR LF, the first line with LF'],
    ],
  )
})

const refused: readonly (readonly [what: string, options: string, content: string, words: RegExp])[] = [
  [
    'a first row as header',
    '',
    '0031;ES0031;María Gil\n',
    /no column n; the first line, of 3 cells, looks like data/,
  ],
  [
    'a first row with equal cells',
    '',
    '0031;Gil;Gil\n',
    /line 1: the first line, of 3 cells, looks like data/,
  ],
  ['a delimiter at the end', '', 'n;f;\n1;Gil;\n', /cell 3 of the header is empty.* declare: last empty/],
  ['rows without the last cell', 'last empty', 'n;f\n1;Gil\n', /line 1: the last cell is not empty/],
  [
    'a declared name twice',
    'columns n, N',
    '1;Gil\n',
    /The columns of the source a: two columns have the name n/i,
  ],
  ['another last cell', 'last full', 'n;f\n1;Gil\n', /last empty, for rows that end with the delimiter/],
]

for (const [what, options, content, words] of refused)
  test(`a file with ${what} is refused without a cell of a row`, async (t) => {
    const { convert, put } = await converting(t)
    await put('a.csv', content)
    const { code, stderr } = await convert(mapping(options))
    t.is(code, 2, stderr)
    t.regex(stderr, words)
    t.notRegex(stderr, /Gil|ES0031/)
  })

test('names that DuckDB finds alike are not shown where a first line looks like data', async (t) => {
  const { convert, put } = await converting(t)
  await put('a.csv', 'n;f\n1;x\n')
  await put('b.csv', '0031;nGil\n0032;Mas\n')
  const { code, stderr } = await convert(
    "-- source a = a.csv; delimiter ';'; key n\n-- source b = b.csv; delimiter ';'; key none\n" +
      'SELECT n AS external_account_number, (SELECT max(n2) FROM b WHERE f = n2) AS billing_name, n AS _n FROM a',
  )
  t.is(code, 2, stderr)
  t.regex(stderr, /b\.csv: the first line, of 2 cells, looks like data/)
  t.notRegex(stderr, /Gil|0031/)
})
