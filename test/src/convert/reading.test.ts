import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { cliInProcess } from '../support/cli-in-process.js'
import { converting, duckDbTest as test } from './support.js'

const source = (options = ''): string => `-- source a = a.csv; delimiter ';'${options}; key n\n`
const mapping = (options = ''): string =>
  `${source(options)}SELECT n AS external_account_number, f AS billing_name, n AS _n FROM a`

const rows = (count: number, row: (at: number) => string): string =>
  `n;f;x\n${Array.from({ length: count }, (_, at) => row(at)).join('\n')}\n`

const row = (at: number): string => `C${at};Soler;1.50`

/** A column of decimals, without ORDER BY, so that DuckDB could return accounts before it reads the faulty row. */
const decimals = `${source()}SELECT n AS external_account_number, CAST(x AS DECIMAL(9, 2)) AS amount, n AS _n FROM a`

const late: readonly (readonly [what: string, row: string | Buffer, words: RegExp])[] = [
  [
    'a value that is no number',
    'C29000;Soler;abc',
    /Could not convert string … to DECIMAL.* It is in a\.csv line 29002\./,
  ],
  ['a cell too many', 'C29000;Soler;1.50;x', /a\.csv line 29002: 4 cells, the header has 3\. .*--rejects/],
  [
    'a byte that is not UTF-8',
    Buffer.from('C29000;Pe\xf1a;1.50', 'latin1'),
    /a\.csv line 29002, column 10: the byte 0xf1 is no letter in utf-8\. .*encoding windows-1252/,
  ],
]

for (const [what, bad, words] of late)
  // A row is read before the query runs, in parts or as a whole.
  for (const slices of what === 'a value that is no number' ? ['1', '3'] : ['1'])
    test(`${what} in row 29,000 ends a conversion in ${slices} parts with code 2 and names the row`, async (t) => {
      const { convert, path, put, names } = await converting(t)
      const [before, after] = [rows(29_000, row), `${row(29_001)}\n${row(29_002)}\n`]
      await put('a.csv', Buffer.concat([before, bad, '\n', after].map((part) => Buffer.from(part))))
      const { code, stderr } = await convert(decimals, ['--out', path('o'), '--slices', slices])
      t.is(code, 2, stderr)
      t.regex(stderr, words)
      t.deepEqual(await names(), ['a.csv', 'mapping.sql'])
    })

test('a faulty value is reported with the row of the account and the row of the list item', async (t) => {
  const { convert, put } = await converting(t)
  await put('a.csv', 'n;f\n1;Ana\n2;Eva\n3;Ivo\n')
  await put('b.csv', 'n;x\n3;5\n2;no\n1;7\n')
  const { code, stderr } = await convert(`${source()}-- source b = b.csv; delimiter ';'; key n
    SELECT n AS external_account_number, (SELECT list(CAST(b.x AS INT)) FROM b WHERE b.n = a.n) AS list, n AS _n FROM a`)
  t.is(code, 2)
  t.regex(stderr, /Could not convert string … to INT32.* It is in a\.csv line 3, b\.csv line 3\./)
})

test('only the declared characters begin a comment, a blank or a quote', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', 'n;f\n#1; Ana \n--2;"Mora; ""Gil""\nx"\n  3;\n')
  t.deepEqual(await accounts(mapping()), [
    { external_account_number: '#1', billing_name: ' Ana ' },
    { external_account_number: '--2', billing_name: 'Mora; "Gil"\nx' },
    { external_account_number: '  3' },
  ])
})

test('a quoted name that first appears in row 21,502 is read without its quotes', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', `${rows(21_501, row)}C21501;"Soler";1\n`)
  t.like((await accounts(mapping())).at(-1), { billing_name: 'Soler' })
})

test('a file declared without quoting keeps its quotes', async (t) => {
  const { accounts, put } = await converting(t)
  await put('a.csv', 'n;f\n1;"Soler\n')
  t.deepEqual(await accounts(mapping('; quote none')), [
    { external_account_number: '1', billing_name: '"Soler' },
  ])
})

const faults: readonly (readonly [what: string, content: string, words: RegExp])[] = [
  [
    'a quote that is not closed',
    'n;f\n1;"Soler\n2;Gil\n',
    /a\.csv line 2: the quote that begins cell 2 is not closed\./,
  ],
  ['text behind a quote', 'n;f\n1;"So"ler\n', /a\.csv line 2: text follows the closing quote of cell 2\./],
  ['a quote in a cell', 'n;f\n1;Gil\n2;So"ler\n', /a\.csv line 3: a quote is inside of cell 2/],
  ['a row with too few cells', 'n;f\n1;Gil\nTOTAL\n', /a\.csv line 3: 1 cell, the header has 2\./],
  ['mixed line ends', 'n;f\r\n1;Gil\n', /a\.csv line 2: the line ends with LF, the header with CR LF\./],
  ['old line ends of Macs', 'n;f\r1;Gil\r', /a\.csv line 1: a carriage return stands alone\./],
  ['a carriage return in a cell', 'n;f\n1;G\ril\n', /a\.csv line 2: a carriage return stands alone\./],
  [
    'another delimiter',
    'n,f\n1,Gil\n',
    /a\.csv line 1: the header has one cell, with "," in it.*declares the delimiter ";"/,
  ],
  ['two columns of a name', 'n;N\n1;Gil\n', /a\.csv line 1: two columns have the name n\./i],
  ['a column without a name', 'n;f;\n1;Gil;\n', /a\.csv line 1: cell 3 of the header is empty/],
  ['nothing', '', /a\.csv is empty/],
  ['a missing key', 'no;f\n1;Gil\n', /a\.csv has no column n; it has: no, f\./],
  [
    'very many cells',
    `n;f\n"1"${';x'.repeat(1_900_000)}\n`,
    /a\.csv line 2: 1,900,001 cells, the header has 2\./,
  ],
  ['the character 0', 'n;f\n1;G\0il\n', /a\.csv line 2, column 4: the byte 0x00/],
]

for (const [what, content, words] of faults)
  test(`a file with ${what} is refused with its line, and no file is written`, async (t) => {
    const { convert, path, put, names } = await converting(t)
    await put('a.csv', content)
    const { code, stderr } = await convert(mapping(), ['--out', path('o')])
    t.is(code, 2, stderr)
    t.regex(stderr, words)
    t.notRegex(stderr, /Soler|Gil/)
    t.deepEqual(await names(), ['a.csv', 'mapping.sql'])
  })

test('--rejects writes rows with a fault, goes on with the others, and ends with code 1', async (t) => {
  const { accounts, convert, path, put, table } = await converting(t)
  await put('a.csv', 'n;f\n1;Ana\n2;Eva;x\n3;"Ivo\n4;Gil\nTOTAL\n5;Mar')
  const found = await accounts(mapping(), ['--rejects', path('r.csv')])
  t.deepEqual(
    found.map((account) => (account as { external_account_number: string }).external_account_number),
    ['1', '4', '5'],
  )
  t.deepEqual(await table('r.csv'), [
    { file: 'a.csv', line: '3', fault: '3 cells, the header has 2', row: '2;Eva;x' },
    { file: 'a.csv', line: '4', fault: 'the quote that begins cell 2 is not closed', row: '3;"Ivo' },
    { file: 'a.csv', line: '6', fault: '1 cell, the header has 2', row: 'TOTAL' },
  ])
  const { code, stderr } = await convert(mapping(), ['--rejects', path('again.csv'), '--allow-empty'])
  t.is(code, 1)
  t.regex(stderr, /a\.csv: 3 rows read, 3 rejected, key found for 3/)
})

const encodings: readonly (readonly [encoding: string, content: Buffer])[] = [
  ['windows-1252', Buffer.from('n;f\r\n1;Pe\xf1a 5 \x80 \x93x\x94\r\n', 'latin1')],
  ['latin1', Buffer.from('n;f\r\n1;Pe\xf1a 5 \x80 \x93x\x94\r\n', 'latin1')],
  ['utf-8', Buffer.from('n;f\n1;Peña 5 € “x”\n')],
  ['utf-8', Buffer.from('\ufeffn;f\n1;Peña 5 € “x”\n')],
  ['utf-8', gzipSync('n;f\n1;Peña 5 € “x”\n')],
  ['utf-16le', Buffer.from('\ufeffn;f\n1;Peña 5 € “x”\n', 'utf16le')],
  ['utf-16be', Buffer.from('n;f\n1;Peña 5 € “x”', 'utf16le').swap16()],
]

for (const [encoding, content] of encodings)
  test(`a file of ${content.length} bytes in ${encoding} is read by its declaration`, async (t) => {
    const { accounts, put } = await converting(t)
    await put('a.csv', content)
    const found = await accounts(mapping(`; encoding ${encoding}`))
    t.deepEqual(found, [{ external_account_number: '1', billing_name: 'Peña 5 € “x”' }])
  })

const wrong: readonly (readonly [what: string, encoding: string, content: Buffer, words: RegExp])[] = [
  [
    'a byte without a letter',
    'windows-1252',
    Buffer.from('n;f\n1;a\n2;b\x81\n', 'latin1'),
    /a\.csv line 3, column 4: the byte 0x81 is no letter in windows-1252/,
  ],
  [
    'a byte of another encoding behind a cell of 3 MB',
    'utf-8',
    Buffer.from(`n;f\n1;a\n2;${'QUJD'.repeat(786_432)};Mu\xf1oz\n`, 'latin1'),
    /a\.csv line 3, column 3145734: the byte 0xf1 is no letter in utf-8/,
  ],
  [
    'a lost half of a letter',
    'utf-16le',
    Buffer.concat([
      Buffer.from('n;f\n1;a\n2;\u0a0ab', 'utf16le'),
      Buffer.from('00d86100', 'hex'),
      Buffer.from('\n', 'utf16le'),
    ]),
    /a\.csv line 3, column 9: the byte 0x00/,
  ],
  [
    'Windows quotes',
    'iso-8859-15',
    Buffer.from('n;f\n1;\x93a\x94\n', 'latin1'),
    /a\.csv line 2, column 3: the byte 0x93/,
  ],
  [
    'a mark of UTF-8',
    'windows-1252',
    Buffer.from('\ufeffn;f\n1;a\n'),
    /byte order mark of UTF-8.*Declare encoding utf-8/,
  ],
  ['UTF-16', 'utf-8', Buffer.from('n;f\n1;a\n', 'utf16le'), /The file is in UTF-16 \(utf-16le\)/],
  [
    'a spreadsheet',
    'utf-8',
    Buffer.from('504b030414000600', 'hex'),
    /a\.csv: The file is a zip archive.*save its sheet as CSV UTF-8/,
  ],
]

for (const [what, encoding, content, words] of wrong)
  test(`a file with ${what} is refused where ${encoding} is declared`, async (t) => {
    const { convert, put } = await converting(t)
    await put('a.csv', content)
    const { code, stderr } = await convert(mapping(`; encoding ${encoding}`))
    t.is(code, 2, stderr)
    t.regex(stderr, words)
  })

const declarations: readonly (readonly [what: string, header: string, words: RegExp])[] = [
  [
    'without a source',
    '',
    /The mapping declares no source\..*-- source contracts = contracts\.csv; delimiter ';'/s,
  ],
  ['without a delimiter', '-- source a = a.csv; key n', /declares no delimiter/],
  ['without a key', "-- source a = a.csv; delimiter ';'", /declares no key/],
  [
    'with an unknown option',
    "-- source a = a.csv; delimiter ';'; key n; sep ,",
    /has no option sep: the options are/,
  ],
  [
    'with an unknown encoding',
    "-- source a = a.csv; delimiter ';'; key n; encoding cp9",
    /encoding cp9, which is not known/,
  ],
  [
    'with an option twice',
    "-- source a = a.csv; delimiter ';'; delimiter ','; key n",
    /has the option delimiter twice/,
  ],
  ['with an open quote', "-- source a = a.csv; delimiter '; key n", /a quote that is not closed/],
  [
    'with a key that is no expression',
    "-- source a = a.csv; delimiter ';'; key n) FROM (SELECT 1 AS n",
    /which is no column/,
  ],
  [
    'with two sources of a name',
    "-- source a = a.csv; delimiter ';'; key n\n-- source A = a.csv; delimiter ';'; key n",
    /two sources a/,
  ],
]

for (const [what, header, words] of declarations)
  test(`a mapping ${what} is refused with what to add`, async (t) => {
    const { put, path } = await converting(t)
    await put('a.csv', 'n;f\n1;Gil\n')
    await put('m.sql', `${header}\nSELECT 1 AS external_account_number, 1 AS _n`)
    const { cliInProcess } = await import('../support/cli-in-process.js')
    const { code, stderr } = await cliInProcess(['convert', path('m.sql')], {})
    t.is(code, 2, stderr)
    t.regex(stderr, words)
  })

test('a column that a file lacks is named with those that it has, also in a list of an account', async (t) => {
  const { convert, put } = await converting(t)
  await put('a.csv', 'n;f\n1;Ana\n')
  await put('b.csv', 'n;cup\n1;x\n')
  const { code, stderr } = await convert(`${source()}-- source b = b.csv; delimiter ';'; key n
    SELECT n AS external_account_number, (SELECT list({id: p.cups} ORDER BY p.cups) FROM b p WHERE p.n = c.n) AS list, n AS _n FROM a c`)
  t.is(code, 2)
  t.is(stderr, 'b.csv has no column cups; it has: n, cup.\n')
})

test('a mapping from a pipe is read once, and its sources are compared with the outputs', async (t) => {
  const { path, put, text, folder } = await converting(t)
  await put('a.csv', rows(1, row))
  const pipe = path('mapping')
  execFileSync('mkfifo', [pipe])
  const run = async (args: readonly string[]) =>
    Promise.all([cliInProcess(['convert', pipe, ...args], {}), writeFile(pipe, mapping())])
  await run(['--out', path('o')])
  t.is(await text('o'), '{"external_account_number":"C0","billing_name":"Soler"}\n')
  const [clash] = await run(['--out', path('a.csv')])
  t.is(clash.code, 2)
  t.regex(clash.stderr, /input and outputs have to be different files/)
  const input = Readable.from([Buffer.from(mapping())])
  await cliInProcess(['convert', '-', '--folder', folder, '--out', path('p')], {}, { input })
  t.is(await text('p'), await text('o'))
})

test('convert --import refuses options for a check without a service', async (t) => {
  const { convert } = await converting(t)
  const service = ['--import', '--url', 'http://127.0.0.1:9', '--team', 'T', '--retry-for', '0']
  for (const [option = '', ...value] of [
    ['--workers', '2'],
    ['--today', '2030-01-01'],
    ['--settings', 'settings.json'],
    ['--allow-empty'],
    ['--severity', 'unknown_field=error'],
    ['--close-list', 'sales_channel=DIRECT:error'],
    ['--open-list', 'sales_channel'],
    ['--internal-email-domain', 'acme.example'],
    ['--market', 'ES'],
  ]) {
    const { code, stderr } = await convert(mapping(), [...service, option, ...value])
    t.is(code, 2, option)
    t.regex(stderr, new RegExp(`option '${option}\\b.*cannot be used with option '--import'`))
  }
})
