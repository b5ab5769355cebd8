import { mkdir, symlink, writeFile } from 'node:fs/promises'
import test from 'ava'
import { account, invalidAccount, manyLines } from './support/accounts.js'
import { csvOf } from './support/csv.js'
import { offline } from './support/offline.js'

const header = ['line', 'external_account_number', 'severity', 'attr', 'code', 'detail']

test.serial('the failed lines come back byte for byte, and are the input of the next round', async (t) => {
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

test.serial('the table of errors has a row for every error and warning', async (t) => {
  const { put, summary, text, path } = await offline(t)
  const lines = [account('A-1', { favourite_colour: 'blue' }), invalidAccount('A,"2'), account('A-3')]
  const file = await put('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
  const found = await summary([file, '--errors', path('e.csv')], 1)
  const content = await text('e.csv')
  t.true(content.startsWith('\ufeffline,'))
  t.true(content.endsWith('\r\n'))
  const [head, ...rows] = csvOf(content.slice(1))
  t.deepEqual(head, header)
  const entries = [...found.errors, ...found.warnings].reduce((sum, each) => sum + each.entries, 0)
  t.is(rows.length, entries)
  t.like(rows[0], ['1', 'A-1', 'warning', 'favourite_colour', 'unknown_field'])
  t.true(rows.slice(1).every(([line, number]) => line === '2' && number === 'A,"2'))
})

test.serial('no cell of the table can act in a spreadsheet or a terminal', async (t) => {
  const { put, summary, text, path } = await offline(t)
  const numbers = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', ' =1', 'a\u202eb', "'=1", 'plain', '=1,"2"']
  const lines = numbers.map((number) => ({ ...account(number), '-2+3': 1, '-a': 1 }))
  const file = await put('a.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
  await summary([file, '--errors', path('e.csv')], 0)
  const rows = csvOf((await text('e.csv')).slice(1)).slice(1)
  t.is(rows.length, 2 * numbers.length)
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const acts = /^\s*[=+\-@＝＋－＠\t\r]|[\u0000-\u001f\u007f-\u009f\u202e]/
  t.deepEqual(
    rows.flat().filter((cell) => acts.test(cell)),
    [],
  )
  t.deepEqual(
    [...new Set(rows.map(([, number]) => number))],
    ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'＝1", "' =1", 'a\\u202eb', "'=1", 'plain', `'=1,"2"`],
  )
  t.true(rows.some(([, , , attr]) => attr === "'-a"))
})

test.serial('any number of workers gives the same files, byte for byte', async (t) => {
  const { put, summary, bytes, text, path } = await offline(t)
  const file = await put('a.ndjson', manyLines(1500).join('\n'))
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
  t.like(one.found, { lines: 1500, accounts: 1500 })
  t.is(one.found.failed, manyLines(1500).filter((_, at) => at % 7 === 3).length)
  for (const workers of [2, 3]) t.deepEqual(await outputs(workers), one)
})

test.serial('accounts that come twice are named by their lines, and are no errors', async (t) => {
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

test.serial('an output that cannot be made is told before anything is checked', async (t) => {
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

test.serial('input and outputs are never the same file, however they are written', async (t) => {
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

test.serial('files of an earlier run are replaced, and only when the new ones are complete', async (t) => {
  const { put, validate, path, text, names } = await offline(t)
  const file = await put('a.ndjson', '[\n1\n]\n')
  await writeFile(path('r.html'), 'earlier')
  t.is((await validate([file, '--report', path('r.html')])).code, 2)
  t.is(await text('r.html'), 'earlier')
  await put('a.ndjson', JSON.stringify(account('A')))
  t.is((await validate([file, '--report', path('r.html')])).code, 0)
  t.regex(await text('r.html'), /^<!doctype html>/)
  t.deepEqual(await names(), ['a.ndjson', 'r.html'])
})
