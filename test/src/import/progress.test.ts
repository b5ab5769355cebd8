import { setTimeout } from 'node:timers/promises'
import ava from 'ava'
import { until } from '../servers/index.js'
import { pipedCli } from '../support/cli-process.js'
import { terminalOf } from '../support/terminal.js'
import { faultyProxy } from './support/faulty-proxy.js'
import { importing, mixedLines, startImportServer, type ImportServer } from './support/importing.js'

const test = ava.serial

/** Accounts, of which some are invalid; one is repeated, so that one request stages all and another creates them. */
const linesToStage = (supplier: string, count = 10): string => {
  const lines = mixedLines(supplier, count)
  return [...lines, lines[0]].join('\n')
}

let server: ImportServer
ava.before(async () => {
  server = await startImportServer()
})
ava.after.always(() => server.stop())

test('the log counts staged accounts and bytes within seconds, and Ctrl-C prints the same counts', async (t) => {
  const { database, address, put } = await importing(t, server)
  const file = await put('a.ndjson', linesToStage(database.supplier))
  // The service stages the accounts, and gives no response to the request that creates them, on a connection that breaks.
  let breakConnection = (): void => undefined
  const broken = new Promise<void>((resolve) => (breakConnection = resolve))
  const { baseUrl, seen } = await faultyProxy(t, address, [
    { kind: 'pass' },
    { kind: 'silence', until: broken },
  ])
  const { child, said, outcome } = pipedCli(
    ['import', file, '--url', baseUrl, '--team', database.team, '--json'],
    { ACCOUNT_IMPORT_API_KEY: database.apiKey },
  )
  while (!said().includes('staged 9')) await setTimeout(50)
  child.kill('SIGINT')
  while (!said().includes('Ctrl-C again stops at once')) await setTimeout(50)
  breakConnection()
  const { code, stdout, stderr } = await outcome
  t.is(code, 130, stderr)
  t.regex(
    stderr,
    /^59\.1%; staged 9, created 0, refused 2; \d+ a second; \d+ s left; ([\d.]+ KiB) of \1 read; most frequent/m,
    JSON.stringify(seen),
  )
  const counts = JSON.parse(stdout) as { bytes_read: number }
  t.like(counts, { error: { code: 'interrupted' }, accounts: 11, staged: 9, created: 0, failed: 2 })
  t.true(counts.bytes_read > 1000)
})

test('a second Ctrl-C prints what is known of the counts for people, and the command to resume', async (t) => {
  const { database, address, put } = await importing(t, server)
  const file = await put('a.ndjson', linesToStage(database.supplier))
  const { baseUrl } = await faultyProxy(t, address, [{ kind: 'pass' }, { kind: 'silence' }])
  const { child, said, outcome } = pipedCli(['import', file, '--url', baseUrl, '--team', database.team], {
    ACCOUNT_IMPORT_API_KEY: database.apiKey,
  })
  while (!said().includes('staged 9')) await setTimeout(50)
  child.kill('SIGINT')
  while (!said().includes('Ctrl-C again stops at once')) await setTimeout(50)
  child.kill('SIGINT')
  const { stderr } = await outcome
  t.regex(
    stderr,
    /^At least 11 accounts until then: staged 9, created 0, refused 2; ([\d.]+ KiB) of \1 read\.\nStopped .*\nTo resume/m,
  )
})

test('a terminal shows one line with bar, counts, rate, time left and errors, and removes it at the end', async (t) => {
  const { database, address, put, run } = await importing(t, server)
  const { terminal, shown } = terminalOf(160)
  const file = await put('a.ndjson', linesToStage(database.supplier, 200))
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  const states = (): readonly string[] => shown().split(/\u001b\[\?7l\r/)
  const line =
    /^█*░* \d+% \| staged [1-9][\d,]*, created [\d,]+, refused [\d,]+ \| [\d,]+ a second \| \d+ s left \| .+ of .+ read \| most frequent errors: \w+ \d+/
  const isShown = (): Promise<boolean> => Promise.resolve(states().some((state) => line.test(state)))
  const { baseUrl } = await faultyProxy(t, address, [
    { kind: 'pass' },
    { kind: 'pass after', work: () => until(isShown, 'the line of an import that goes on is shown') },
  ])
  t.is((await run(['import', file, '--team', database.team, '--url', baseUrl], { terminal })).code, 1)
  t.false(shown().includes('\n'), 'one line alone')
  t.regex(states()[1] ?? '', /^staged 0, created 0, refused 0 \| 0 a second \| 0 s/)
  t.true(shown().endsWith('\r\u001b[K'))
  // The share never decreases by more than the accounts of a batch that was read.
  const shares = states()
    .flatMap((state) => /(\d+)% \|/.exec(state)?.[1] ?? [])
    .map(Number)
  t.true(Math.max(...shares) > 0, 'the share grows before the end')
})
