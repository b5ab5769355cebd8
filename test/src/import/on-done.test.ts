import { readFile } from 'node:fs/promises'
import ava from 'ava'
import { until } from '../servers/index.js'
import { pipedCli } from '../support/cli-process.js'
import { importing, mixedLines, startImportServer, type ImportServer } from './support/importing.js'

// One after the other: an organisation is made on the database of the server while no import writes to it.
const test = ava.serial

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

const names = ['OUTCOME', 'RUN', 'ACCOUNTS', 'CREATED', 'STAGED', 'EXISTING', 'VALID', 'FAILED', 'API_KEY']

/** A command that writes what it was told into a file. */
const writing = (file: string): string =>
  `echo "${names.map((name) => `$ACCOUNT_IMPORT_${name}`).join(',')}" > '${file}'`

const told = async (file: string) => (await readFile(file, 'utf8')).trim().split(',')

test('a command is run when an import has ended, with its run and counts, and without the API key', async (t) => {
  const { database, put, path, run } = await importing(t, server)
  const file = await put('a.ndjson', mixedLines(database.supplier, 10).join('\n'))
  const args = ['import', file, '--team', database.team, '--json', '--on-done', writing(path('told'))]
  const { code, stdout, stderr } = await run(args)
  t.is(code, 1, stderr)
  const { import_runs: runs } = JSON.parse(stdout) as { import_runs: readonly { id: string }[] }
  t.is(runs.length, 1)
  t.deepEqual(await told(path('told')), ['finished', runs[0]?.id, '10', '8', '0', '0', '0', '2', ''])
})

test('what the command prints and its exit code are shown on stderr, and change nothing of the import', async (t) => {
  const { database, put, run } = await importing(t, server)
  const file = await put('a.ndjson', mixedLines(database.supplier, 2).join('\n'))
  const args = ['import', file, '--team', database.team, '--json']
  const failing = await run([...args, '--on-done', 'echo told; echo why >&2; exit 3'])
  t.is(failing.code, 0)
  t.regex(failing.stderr, /told\n/)
  t.regex(failing.stderr, /why\n/)
  t.regex(failing.stderr, /Note: the command of --on-done ended with 3\.\n/)
  t.notThrows(() => JSON.parse(failing.stdout))
  const killed = await run([...args, '--on-done', 'kill -9 $$'])
  t.is(killed.code, 0)
  t.regex(killed.stderr, /--on-done ended with SIGKILL\.\n/)
  t.notRegex((await run([...args, '--on-done', 'true'])).stderr, /Note/)
})

test('an import that the service refuses has failed; one that never began runs no command', async (t) => {
  const { database, put, path, run } = await importing(t, server)
  const file = await put('a.ndjson', mixedLines(database.supplier, 2).join('\n'))
  const onDone = ['--on-done', writing(path('told'))]
  t.is((await run(['import', file, '--team', 'Nobody', ...onDone])).code, 2)
  t.is((await told(path('told')))[0], 'failed')
  t.is((await run(['import', file, '--on-done', writing(path('none'))])).code, 2)
  await t.throwsAsync(readFile(path('none')), { code: 'ENOENT' })
})

test('an import whose file cannot be read has failed, also where a sample is to be drawn first', async (t) => {
  const { database, path, run } = await importing(t, server)
  for (const [name, sample] of [
    ['whole', []],
    ['sample', ['--sample', '1']],
  ] as const) {
    const args = ['import', path('missing.ndjson'), '--team', database.team, ...sample]
    t.not((await run([...args, '--on-done', writing(path(name))])).code, 0)
    t.is((await told(path(name)))[0], 'failed', name)
  }
})

test('an import that is stopped by a signal is interrupted', async (t) => {
  const { database, path } = await importing(t, server)
  const args = [
    'import',
    '-',
    '--url',
    server.address,
    '--team',
    database.team,
    '--on-done',
    writing(path('told')),
  ]
  const { child, outcome } = pipedCli(args, {
    ACCOUNT_IMPORT_API_KEY: database.apiKey,
  })
  const lines = mixedLines(database.supplier, 3000)
  child.stdin.write(`${lines.join('\n')}\n`)
  // The client knows the id of its run by then.
  await until(async () => {
    const first = await database.stores.accountImports.find(database.key('N-0'))
    return first._tag === 'Right' && first.right !== undefined
  }, 'an account is staged')
  child.kill('SIGINT')
  t.is((await outcome).code, 130)
  const [ending, id] = await told(path('told'))
  t.is(ending, 'interrupted')
  t.regex(id ?? '', /^[A-Za-z0-9]{22}$/)
})
