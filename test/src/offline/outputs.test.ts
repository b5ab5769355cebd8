import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { bodyLimitBytes } from '@account-import/http-contract'
import ava from 'ava'
import { account, invalidAccount, manyLines } from './support/accounts.js'
import { csvOf } from './support/csv.js'
import { offline } from './support/offline.js'
import { textOf } from '../support/repository.js'
import { cliInProcess } from '../support/cli-in-process.js'
import { terminalOf } from '../support/terminal.js'

// One after the other: each starts threads.
const test = ava.serial

const header = ['line', 'external_account_number', 'severity', 'attr', 'code', 'detail']

test('the failed lines are written byte for byte, and can be validated again', async (t) => {
  const { put, summary, bytes, path } = await offline(t)
  const lines = [
    `  ${JSON.stringify(invalidAccount('A-1'))} \r\n`,
    `${JSON.stringify(account('A-2'))}\n`,
    '\n',
    '{"broken": "ñ\n',
    JSON.stringify({ import_supplier: 'S' }),
  ]
  const file = await put('a.ndjson', lines.join(''))
  t.like(await summary([file, '--failures', path('f.ndjson')], 1), { accounts: 4, failed: 3 })
  t.true((await bytes('f.ndjson')).equals(Buffer.from([lines[0], lines[3], lines[4]].join(''))))
  t.like(await summary([path('f.ndjson')], 1), { accounts: 3, failed: 3 })
})

test('the table of errors has a row for every error and warning', async (t) => {
  const { put, summary, text, path } = await offline(t)
  const lines = [account('A-1', { favourite_colour: 'blue' }), invalidAccount('A,"2'), account('A-3')]
  const file = await put('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
  const found = await summary([file, '--errors', path('e.csv')], 1)
  const content = await text('e.csv')
  t.true(content.startsWith('\ufeff"line",'))
  t.true(content.endsWith('\r\n'))
  const [head, ...rows] = csvOf(content.slice(1))
  t.deepEqual(head, header)
  const entries = [...found.errors, ...found.warnings].reduce((sum, each) => sum + each.entries, 0)
  t.is(rows.length, entries)
  t.like(rows[0], ['1', 'A-1', 'warning', 'favourite_colour', 'unknown_field'])
  t.true(rows.slice(1).every(([line, number]) => line === '2' && number === 'A,"2'))
})

test('failures are a table with a row for each account when the file name ends with .csv', async (t) => {
  const { put, summary, text, path } = await offline(t)
  const broken = { ...invalidAccount('=A;1'), customers: [{ email: 1 }, { email: 2, favourite: 1 }] }
  const lines = [broken, account('A-2'), { import_supplier: 'S' }].map((line) => JSON.stringify(line))
  const tooLong = ' '.repeat(bodyLimitBytes + 3)
  const file = await put('a.ndjson', [...lines, `${tooLong}1`].join('\n'))
  const { failed } = await summary([file, '--failures', path('F.CSV')], 1)
  const content = await text('F.CSV')
  t.true(content.startsWith('\ufeff"external_account_number",'))
  const [head, ...rows] = csvOf(content.slice(1))
  t.deepEqual(head, ['external_account_number', 'line', 'step', 'codes', 'fields'])
  t.is(rows.length, failed)
  const [first, second, third] = rows
  t.like(first, ["'=A;1", '1', 'validate'])
  t.regex(first?.[3] ?? '', /(^| )invalid( |$)/)
  t.regex(first?.[4] ?? '', /customers\.0\.email .*customers\.1\.email/)
  t.deepEqual(second, ['', '3', 'validate', 'required', 'external_account_number customers'])
  t.deepEqual(third, ['', '4', 'validate', 'payload_too_large', ''])
})

test('no cell of the table acts in a spreadsheet or a terminal', async (t) => {
  const { put, summary, text, path } = await offline(t)
  const numbers = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', ' =1', 'A;=1', 'a\u202eb', "'=1", 'plain', '=1,"2"']
  const lines = numbers.map((number) => ({ ...account(number), '-2+3': 1, '-a': 1 }))
  const file = await put('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
  await summary([file, '--errors', path('e.csv')], 0)
  const content = (await text('e.csv')).slice(1)
  // Each text is in quotes, so that no semicolon ends a cell.
  t.regex(content, /^(?:(?:\d+|"(?:[^"]|"")*")(?:,|\r\n))+$/)
  const rows = csvOf(content).slice(1)
  t.is(rows.filter(([, , , , code]) => code === 'unknown_field').length, 2 * numbers.length)
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const acts = /^\s*[=+\-@＝＋－＠\t\r]|[\u0000-\u001f\u007f-\u009f\u202e]/
  t.deepEqual(
    rows.flat().filter((cell) => acts.test(cell)),
    [],
  )
  t.deepEqual(
    [...new Set(rows.map(([, number]) => number))],
    ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'＝1", "' =1", 'A;=1', 'a\\u202eb', "'=1", 'plain', `'=1,"2"`],
  )
  t.true(rows.some(([, , , attr]) => attr === "'-a"))
})

test('any number of workers gives the same files, byte for byte', async (t) => {
  const { put, summary, bytes, text, path } = await offline(t)
  const file = await put('a.ndjson', manyLines(600).join('\n'))
  const outputs = async (workers: number) => {
    const name = (ending: string): string => path(`${workers}.${ending}`)
    const args = ['--failures', name('ndjson'), '--errors', name('csv'), '--report', name('html')]
    const { run, written, ...found } = await summary([file, '--workers', String(workers), ...args], 1)
    t.is(run['workers'], workers)
    t.is(written.report, name('html'))
    const report = (await text(`${workers}.html`))
      .replace(/<section id="run">[\s\S]*?<\/section>/, '')
      .replace(`was written to <code>${workers}.csv</code>`, '')
    return {
      found,
      report,
      failures: await bytes(`${workers}.ndjson`),
      errors: await bytes(`${workers}.csv`),
    }
  }
  const one = await outputs(1)
  t.like(one.found, { lines: 600, accounts: 600 })
  t.is(one.found.failed, manyLines(600).filter((_, at) => at % 7 === 3).length)
  t.deepEqual(await outputs(3), one)
})

test('repeated accounts are named by their lines, and are not errors', async (t) => {
  const { put, summary, text, path } = await offline(t)
  const numbers = ['A', 'B', 'A', 'a', 'A ', 'B', 'A']
  const lines = [...numbers.map((number) => account(number)), { ...account('A'), import_supplier: 'OTHER' }]
  const file = await put('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
  const { repeated_accounts: repeated } = await summary([file, '--report', path('r.html')], 0)
  t.deepEqual(repeated, {
    lines: 3,
    complete: true,
    examples: [
      { line: 3, first_line: 1 },
      { line: 6, first_line: 2 },
      { line: 7, first_line: 1 },
    ],
  })
  t.regex(await text('r.html'), /line 7 repeats line 1/)
})

test('an output that cannot be created is refused before the check begins', async (t) => {
  const { put, validate, path, names, folder } = await offline(t)
  const file = await put('a.ndjson', `${JSON.stringify(account('A'))}\n`)
  await mkdir(path('folder'))
  await writeFile(path('target'), 'kept')
  await symlink(path('target'), path('link'))
  const before = await names()
  for (const output of [path('none/r.html'), path('folder'), path('link')]) {
    const { code, stderr } = await validate([file, '--errors', path('e.csv'), '--report', output])
    t.is(code, 3, output)
    t.true(stderr.includes(output), stderr)
  }
  t.deepEqual(await names(), before)
  t.is((await validate([path('missing.ndjson')])).code, 3)
  t.is((await validate([folder])).code, 3)
})

test('input and outputs are never the same file, in any spelling', async (t) => {
  const { put, validate, path, text } = await offline(t)
  const content = `${JSON.stringify(account('A'))}\n`
  const file = await put('a.ndjson', content)
  for (const args of [
    ['--failures', file],
    ['--failures', `${path('.')}/./a.ndjson`],
    ['--failures', path('x'), '--errors', path('x')],
  ])
    t.is((await validate([file, ...args])).code, 2)
  t.is(await text('a.ndjson'), content)
})

test('files of an earlier run are replaced when the new ones are complete', async (t) => {
  const { put, validate, path, text, names } = await offline(t)
  const file = await put('a.ndjson', '{\n1\n}\n')
  await writeFile(path('r.html'), 'earlier')
  t.is((await validate([file, '--report', path('r.html')])).code, 2)
  t.is(await text('r.html'), 'earlier')
  await put('a.ndjson', JSON.stringify(account('A')))
  t.is((await validate([file, '--report', path('r.html')])).code, 0)
  t.regex(await text('r.html'), /^<!doctype html>/)
  t.deepEqual(await names(), ['a.ndjson', 'r.html'])
})

const [validLine = ''] = textOf('examples/samples/accounts.ndjson').split('\n')
const broken = '{"external_account_number": "A-1", "account_type": tru}'
const early = JSON.stringify({
  ...(JSON.parse(validLine) as object),
  external_account_number: 'A-2',
  last_billed_to_date: '31.1.2025',
})
const withFaults = [validLine, broken, early, broken.replace('tru', 'fals')].join('\n')

test('the summary has the first line and the remedy of each code, and the column of broken JSON', async (t) => {
  const { put, validate, path } = await offline(t)
  const { code, stdout, stderr } = await validate([
    await put('a.ndjson', withFaults),
    '--failures',
    path('failed.ndjson'),
  ])
  t.deepEqual([code, stdout], [1, ''])
  t.regex(stderr, /^error +parse_error +2 +2 +2 +column 52\n +The body is not valid JSON\..* column 52\.$/m)
  t.regex(stderr, /^Meaning and remedy of a code: .* explain CODE$/m)
  t.true(
    stderr.includes(
      `Written: ${path('failed.ndjson')} (data of customers: readable for you alone, mode 600)`,
    ),
  )
  t.is((await stat(path('failed.ndjson'))).mode & 0o777, 0o600)
  t.notRegex(stderr, /31\.1\.2025/)
})

test('--errors - writes the table of errors to stdout, and nothing else', async (t) => {
  const { put, validate, path, text, names } = await offline(t)
  const file = await put('a.ndjson', withFaults)
  const printed = await validate([file, '--errors', '-'])
  const before = await names()
  await validate([file, '--errors', path('errors.csv')])
  t.is(printed.stdout, await text('errors.csv'))
  t.regex(printed.stderr, /^Checked 4 accounts/)
  t.deepEqual(before, ['a.ndjson'])
  for (const args of [
    ['--errors', '-', '--json'],
    ['--errors', '-', '--failures', '-'],
  ])
    t.is((await validate([file, ...args])).code, 2)
})

test('an input without accounts is a failure unless --allow-empty is set', async (t) => {
  const { put, validate, summary, path, text } = await offline(t)
  for (const content of ['', '\n\n']) {
    const file = await put('empty.ndjson', content)
    const { code, stderr } = await validate([file])
    t.is(code, 1)
    t.regex(stderr, /^The input contains no accounts on \d lines\. .*--allow-empty$/m)
    t.is((await summary([file], 1)).accounts, 0)
    await summary([file, '--allow-empty', '--report', path('r.html')], 0)
    t.regex(await text('r.html'), /The file contains no accounts\./)
  }
})

test('a faulty configuration of the service does not stop an offline check', async (t) => {
  const { put, validate } = await offline(t)
  const file = await put('a.ndjson', validLine)
  const wrong = { DATABASE_URL: 'postgres://x', TOKEN_SIGNING_KEY: 'short', PAYMENT_VENDORS: '/nowhere' }
  t.is((await validate([file], wrong)).code, 0)
  const { code, stderr } = await validate([file], { ...wrong, TIME_ZONE: 'Mars' })
  t.is(code, 2)
  t.regex(stderr, /TIME_ZONE/)
  t.notRegex(stderr, /DATABASE_URL/)
})

const misspelt = `${JSON.stringify(account('A', { favourite_colour: 1 }))}\n`

test('options are validated as those of supplier configure are', async (t) => {
  const { put, summary, validate } = await offline(t)
  const file = await put('a.ndjson', misspelt)
  t.like(await summary([file], 0), { warnings: [{ code: 'unknown_field' }] })
  t.like(await summary([file, '--severity', 'unknown_field=error'], 1), {
    errors: [{ code: 'unknown_field' }],
  })
  t.like(await summary([file, '--severity', 'unknown_field=off'], 0), { valid_with_warnings: 0 })
  for (const wrong of [
    ['--severity', 'required=warn'],
    ['--close-list', 'colours=a:error'],
    ['--severity', 'x'],
  ])
    t.is((await validate([file, ...wrong])).code, 2, wrong.join(' '))
})

test('settings of a supplier validate as the service does, and options change them', async (t) => {
  const { put, summary, validate, path, folder } = await offline(t)
  const environment = { DATA_DIR: join(folder, 'data') }
  const configure = 'supplier configure S --severity unknown_field=error --close-list sales_channel=X:warn'
  for (const line of ['organisation create O', 'supplier create S --organisation O', configure])
    t.is((await cliInProcess(line.split(' '), environment)).code, 0, line)
  const shown = await cliInProcess(['supplier', 'show', 'S', '--json'], environment)
  await put('settings.json', shown.stdout)
  const file = await put('a.ndjson', misspelt)
  const args = [file, '--settings', path('settings.json')]
  t.like(await summary(args, 1), { errors: [{ code: 'unknown_field' }] })
  t.like(await summary([...args, '--severity', 'unknown_field=warn'], 0), { failed: 0 })
  for (const wrong of ['{', '{}', '{"settings": {"colour": 1}}', '{"settings": {"severities": 1}}', 'null'])
    t.is((await validate([file, '--settings', await put('wrong.json', wrong)])).code, 2, wrong)
  t.is((await validate([file, '--settings', path('none.json')])).code, 3)
})

test('country and day come from the configuration, and an option sets the day', async (t) => {
  const { put, validate, text, path } = await offline(t)
  const file = await put('a.ndjson', misspelt)
  const day = async (environment: Record<string, string>, ...args: string[]): Promise<string> => {
    const { code } = await validate([file, '--report', path('r.html'), ...args], environment)
    t.is(code, 0)
    return /<dt>Day<\/dt>\s*<dd>([^<]+)<\/dd>/.exec(await text('r.html'))?.[1] ?? ''
  }
  t.is(await day({}, '--today', '2031-01-02'), '2031-01-02')
  const [east, west] = [
    await day({ TIME_ZONE: 'Pacific/Kiritimati' }),
    await day({ TIME_ZONE: 'Pacific/Niue' }),
  ]
  t.true(east > west, 'the two zones are 25 hours apart')
  await day({ DEFAULT_COUNTRY: 'FR' })
  t.regex(await text('r.html'), /<dd>FR<\/dd>/)
  t.is((await validate([file], { TIME_ZONE: 'Mars' })).code, 2)
  for (const wrong of [
    ['--today', '2023-02-29'],
    ['--workers', '0'],
    ['--workers', 'x'],
  ])
    t.is((await validate([file, ...wrong])).code, 2, wrong.join(' '))
})

test('a summary for people has counts, codes and written files', async (t) => {
  const { put, validate, path } = await offline(t)
  const file = await put('a.ndjson', `${misspelt}{}\n`)
  const { code, stdout, stderr } = await validate([file, '--report', path('r.html')])
  t.is(code, 1)
  t.is(stdout, '')
  t.regex(stderr, /^Checked 2 accounts on 2 lines in /)
  t.regex(stderr, /^1 valid, 1 of them with warnings; 1 failed\.$/m)
  for (const field of ['customers', 'external_account_number', 'import_supplier'])
    t.regex(stderr, new RegExp(`^error +required +1 +1 +2 +${field}$`, 'm'))
  t.regex(stderr, /^warning +unknown_field +1 +1 +1 +favourite_colour$/m)
  t.true(stderr.includes(`Written: ${path('r.html')}\n`))
  t.regex(stderr, /^Not checked offline: /m)
})

test('a code with several fields has a row for each, with its count and remedy', async (t) => {
  const { put, validate } = await offline(t)
  const first: Record<string, unknown> = account('A')
  const second: Record<string, unknown> = account('B')
  const [customer] = first['customers'] as object[]
  const [supply] = first['supply_addresses'] as object[]
  const early = [{ ...supply, customer_at_supply_address_from_date: '31.1.2025' }]
  const lines = [
    { ...first, supply_addresses: early, customers: [{ ...customer, email: 'x' }] },
    { ...second, supply_addresses: early },
    // More fields than the terminal shows.
    { ...second, external_account_number: 'C', a1: 1, a2: 1, a3: 1, a4: 1, a5: 1, a6: 1, a7: 1 },
  ]
  const { stderr } = await validate([
    await put('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n')),
  ])
  t.regex(
    stderr,
    /^error +invalid +2 +2 +1 +supply_addresses\.0\.customer_at_supply_address_from_date\n +.* Give a date such as .*\nerror +invalid +1 +1 +1 +customers\.0\.email\n +.*e-mail address/m,
  )
  t.is(stderr.match(/^warning +unknown_field +1 +1 +3 +a\d$/gm)?.length, 5)
  t.regex(stderr, /^ +unknown_field: 2 more fields\. --errors FILE writes the findings of all\.$/m)
})

test('a terminal shows share, accounts, rate and time left, and is clean at the end', async (t) => {
  const { put, summary } = await offline(t)
  const file = await put('a.ndjson', `${manyLines(2000).join('\n')}\n`)
  const { terminal, shown } = terminalOf(120)
  t.like(await summary([file], 1, { terminal }), { accounts: 2000 })
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const states = shown().split(/\u001b\[[0-9;?]*[A-Za-z]\r?/)
  const lines = states.filter((state) => state.includes('accounts'))
  t.regex(lines[0] ?? '', /^░{20} 0% \| 0 accounts \| 0 a second \| 0 s \| 0 bytes of .* read$/)
  t.regex(lines.at(-1) ?? '', /^█+░* \d+% \| [\d,]+ accounts \| [\d,]+ a second \| .+ left \| .+ read$/)
  t.false(shown().includes('\n'))
  t.true(shown().endsWith('\r\u001b[K'))
})

test('the terminal shows the amount read instead of a share when the size is unknown, as of a pipe', async (t) => {
  const { summary } = await offline(t)
  const { terminal, shown } = terminalOf(120)
  const input = Readable.from([Buffer.from(`${manyLines(300).join('\n')}\n`)])
  await summary(['-'], 1, { input, terminal })
  t.regex(shown(), /0 accounts \| 0 a second \| 0 s \| 0 bytes read/)
  t.regex(shown(), /\d+ accounts \| \d+ a second \| \d+ s \| [\d.]+ [KM]iB read/)
})
