import ava from 'ava'
import { importing, startImportServer, type ImportServer } from './support/importing.js'
import { gasAccount } from '../support/samples.js'

// One after the other: an organisation is made on the database of the server while no import writes to it.
const test = ava.serial

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

const accounts = (supplier: string, count: number) =>
  Array.from({ length: count }, (_, at) => gasAccount(supplier, `N-${at}`))

const linesOf = (list: readonly object[]): string => list.map((each) => `${JSON.stringify(each)}\n`).join('')

test('an account that exists with other data is counted apart, named, written to the failures, and gives exit code 1', async (t) => {
  const { database, put, path, text, rows, summary, run } = await importing(t, server)
  const all = accounts(database.supplier, 6)
  t.like(await summary(await put('a.ndjson', linesOf(all)), [], 0), { created: 6, existing: 0, differing: 0 })
  const changed = all.map((each, at) =>
    at === 1 || at === 4 ? { ...each, sales_subchannel: 'Otra oficina' } : each,
  )
  // The same data in another text: keys the other way round, and white space.
  const reversed = JSON.stringify(Object.fromEntries(Object.entries(all[2] ?? {}).toReversed()))
  const lines = linesOf(changed).split('\n')
  const file = await put('b.ndjson', ['', ...lines.with(2, reversed.replaceAll(',"', ' ,\t"'))].join('\n'))
  const outputs = ['--failures', path('f.csv'), '--report', path('r'), '--errors', path('e')]
  const told = await summary(file, outputs, 1)
  t.like(told, { accounts: 6, created: 0, existing: 4, differing: 2, failed: 0 })
  t.deepEqual(told.differing_accounts, [
    { line: 3, external_account_number: 'N-1' },
    { line: 6, external_account_number: 'N-4' },
  ])
  const code = 'account_already_imported'
  t.deepEqual(await rows('f.csv'), [
    ['N-1', '3', 'stage', code, 'external_account_number'],
    ['N-4', '6', 'stage', code, 'external_account_number'],
  ])
  t.deepEqual(
    (await rows('e')).map(([line, number, severity]) => [line, number, severity]),
    [
      ['3', 'N-1', 'error'],
      ['6', 'N-4', 'error'],
    ],
  )
  t.regex(await text('r'), /2 accounts created before, with other data/)
  t.notRegex(await text('r'), /Otra oficina/)

  const shown = await run(['import', file, '--team', database.team, '--failures', path('g')])
  t.is(shown.code, 1)
  t.regex(shown.stderr, /created before 4, created before, with other data 2\./)
  t.regex(shown.stderr, /Created before, with other data: line 3 N-1, line 6 N-4\n/)
  t.is(await text('g'), [1, 4].map((at) => `${lines[at]}\n`).join(''))
})

test('many accounts with other data are shown in part, and written to the failures in full', async (t) => {
  const { database, put, path, text, run, summary } = await importing(t, server)
  const all = accounts(database.supplier, 12)
  await summary(await put('a.ndjson', linesOf(all)), [], 0)
  const file = await put('b.ndjson', linesOf(all.map((each) => ({ ...each, sales_subchannel: 'Otra' }))))
  const { code, stderr } = await run(['stage', file, '--failures', path('f')])
  t.is(code, 1)
  t.regex(stderr, /line 10 N-9 and 2 more \(all: --failures FILE\)/)
  t.notRegex(stderr, /N-10/)
  t.is((await text('f')).split('\n').length, 13)
})
