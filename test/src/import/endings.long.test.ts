import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ava from 'ava'
import { freePort, until } from '../servers/index.js'
import { pipedCli } from '../support/cli-process.js'
import { root } from '../support/repository.js'
import { gasAccount } from '../support/samples.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { faultyProxy } from './support/faulty-proxy.js'
import {
  importedOf,
  importing,
  mixedLines,
  startImportServer,
  type ImportServer,
} from './support/importing.js'

// One after the other: an organisation is made on the database of the server while no import writes to it.
const test = ava.serial

/** The document of `import --json` that was stopped, as far as the tests read it. */
type StoppedSummary = Readonly<{
  error: Readonly<{ detail: string }>
  at_least: boolean
  accounts: number
  created: number
  failed: number
  staged: number
}>

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

test('a wrong or missing key, and a missing team, are refused with 2', async (t) => {
  const { database, put, run, summary } = await importing(t, server)
  const file = await put('a.ndjson', mixedLines(database.supplier, 3).join('\n'))
  const withKey = (key: string) => ({ environment: { ACCOUNT_IMPORT_API_KEY: key } })
  const wrong = await run(['import', file, '--team', 'T', '--json'], withKey('aik_wrong'))
  t.is(wrong.code, 2)
  t.like(JSON.parse(wrong.stdout), { error: { code: 'authentication_failed' }, accounts: 0 })
  const missing = await run(['import', file, '--team', 'T'], { environment: {} })
  t.is(missing.code, 2)
  t.regex(missing.stderr, /ACCOUNT_IMPORT_API_KEY/)
  t.like(await run(['import', file]), {
    code: 2,
    stderr:
      'Name the operations team that the accounts are created under: --team NAME, or the variable ACCOUNT_IMPORT_TEAM.\n',
  })
  t.like(await summary(file, ['--api-key-file', await put('key', `${database.apiKey}\n`)], 0), { created: 3 })
})

test('an import exits with 3 at once when the service was never reached, with the command to try again', async (t) => {
  const { database, put, run } = await importing(t, server)
  const file = await put("it's.ndjson", mixedLines(database.supplier, 3).join('\n'))
  const args = ['import', file, '--team', 'A team', '--api-key', database.apiKey, '--retry-for', '3600']
  const port = await freePort()
  const { code, stderr } = await run([...args, '--url', `http://127.0.0.1:${port}`], { environment: {} })
  t.is(code, 3, stderr)
  t.regex(stderr, /No response from http[^]*\nTo try again, with the same API key: /)
  t.true(
    stderr.includes(`account-import import '${file.replace("'", "'\\''")}' --url http://127.0.0.1:${port}`),
    stderr,
  )
  t.true(stderr.includes(`--retry-for 3600 --team 'A team'`), stderr)
  t.false(stderr.includes(database.apiKey))
  t.is((await run(['import', file, '--team', 'x', '--url', 'ftp://x'])).code, 2)
})

test('an import exits with 3 when the service stays too slow for a request, with the command to resume', async (t) => {
  const { database, address, put, run } = await importing(t, server)
  const file = await put('a.ndjson', mixedLines(database.supplier, 3).join('\n'))
  const { baseUrl } = await faultyProxy(t, address, Array(20).fill({ kind: 'answer', status: 408 }))
  const args = ['import', file, '--team', database.team, '--json', '--url', baseUrl, '--retry-for', '1']
  const { code, stdout } = await run(args)
  t.is(code, 3, stdout)
  t.regex((JSON.parse(stdout) as { go_on: string }).go_on, /account-import import /)
})

test('an overloaded service gets fewer requests after each refusal', async (t) => {
  const { database, address, put, run } = await importing(t, server)
  const [concurrency, times] = [8, 3]
  const account = { ...gasAccount(database.supplier, 'N'), padding: 'x'.repeat(150_000) }
  const file = await put('a.ndjson', `${JSON.stringify(account)}\n`.repeat(10 * (concurrency + 4)))
  const busy = Array(concurrency * times).fill({ kind: 'answer', status: 503 })
  const slow = Array(20).fill({ kind: 'pass', afterMilliseconds: 300 })
  const { baseUrl, seen } = await faultyProxy(t, address, [...busy, ...slow])
  const args = ['import', file, '--only', 'validate', '--url', baseUrl, '--concurrency', String(concurrency)]
  t.is((await run(args)).code, 0)
  const after = seen.slice(concurrency * times).map(({ inFlight }) => inFlight)
  t.true(after.length >= 4 && Math.min(...after) <= 2, String(after))
})

for (const [signal, expected] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} ends the import with ${expected}, the counts of the service and the command to resume`, async (t) => {
    const { client, database, address, path, text, summary, put } = await importing(t, server)
    const lines = mixedLines(database.supplier, 2500)
    const { child, said, outcome } = pipedCli(
      ['import', '-', '--url', address, '--team', database.team, '--mapping', path('m'), '--json'],
      { ACCOUNT_IMPORT_API_KEY: database.apiKey },
    )
    child.stdin.write(`${lines.join('\n')}\n`)
    // The input does not end. Requests of a thousand lines are running when the first progress is shown.
    await until(async () => /created [1-9]/.test(said()), 'progress')
    child.kill(signal)
    const { code, stdout, stderr } = await outcome
    t.is(code, expected, stderr)
    t.regex(stderr, /Stopping: running requests are finished and counted/)
    t.regex(stderr, /To resume, with the same API key: \S+ \S+ import - .*--url/)
    const { error, ...counts } = JSON.parse(stdout) as StoppedSummary
    t.is(error.detail, 'Stopped before the end; no file was written.')
    t.is((await importedOf(client, database.supplier)).size, counts.created)
    t.like(counts, { at_least: false, staged: 0, accounts: counts.created + counts.failed })
    t.true(counts.created > 0, stdout)
    await t.throwsAsync(text('m'))
    const { created, existing, failed } = await summary(await put('a.ndjson', lines.join('\n')), [], 1)
    t.deepEqual([created + existing, failed], [2000, 500])
  })

test('a second Ctrl-C does not wait for running requests, and the counts say that they are the least', async (t) => {
  const { client, database, address, put } = await importing(t, server)
  const file = await put('a.ndjson', mixedLines(database.supplier, 10).join('\n'))
  const { baseUrl, seen } = await faultyProxy(t, address, [{ kind: 'lost' }, { kind: 'silence' }])
  const { child, said, outcome } = pipedCli(['import', file, '--url', baseUrl, '--team', database.team], {
    ACCOUNT_IMPORT_API_KEY: database.apiKey,
  })
  await until(async () => seen.length === 2, 'the request is sent again')
  child.kill('SIGINT')
  await until(async () => said().includes('Ctrl-C again stops at once'), 'the first signal')
  child.kill('SIGINT')
  const { code, stderr } = await outcome
  t.is(code, 130, stderr)
  t.is((await importedOf(client, database.supplier)).size, 8)
  t.regex(stderr, /At least 0 accounts until then: staged 0, created 0, refused 0/)
})

const execute = promisify(execFile)
/** Everything on the terminal: results and messages for people. */
const demo = async (...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await execute(process.execPath, ['scripts/demo.mjs', ...args], { cwd: root })
  return `${stdout}\n${stderr}`
}

test('the demo imports a thousand accounts from a demo server, and creates none when it is repeated', async (t) => {
  const data = await tempFolder(t)
  const { address } = await serveProcess(t, { DATA_DIR: data, LOG_LEVEL: 'error' }, ['--demo'])
  const first = await demo('--url', address, '--data', data)
  t.regex(first, /^\$ account-import import /m)
  const [, created = '', failed = ''] = /^created (\d+), failed (\d+)\.$/m.exec(first) ?? []
  t.is(Number(created) + Number(failed), 1000, first)
  t.true(Number(failed) > 0 && Number(failed) < 50)
  t.regex(first, new RegExp(`^created: +${created}$`, 'm'))
  t.regex(await readFile(join(data, 'demo-import.html'), 'utf8'), /^<!doctype html>/i)
  const failures = (await readFile(join(data, 'demo-failed.ndjson'), 'utf8')).trim().split('\n')
  t.is(failures.length, Number(failed))
  const again = await demo('--url', address, '--data', data)
  t.regex(again, new RegExp(`^created before ${created}, failed ${failed}\\.$`, 'm'))
})

test('the demo without a server prints the command that starts one', async (t) => {
  const data = await tempFolder(t)
  const refused = await t.throwsAsync(demo('--data', data), { any: true })
  t.regex(String((refused as unknown as { stderr: string }).stderr), /Run npm start/)
})
