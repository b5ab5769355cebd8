// Long: it installs and builds a clone, which takes a minute.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import test from 'ava'
import { freePort } from '../servers/index.js'
import { root } from '../support/repository.js'
import { tempFolder } from '../support/temp-folder.js'
import { blocksIn } from './readme.js'

/** The block with the tests and checks of the repository: this test is one of them. */
const ofDevelopers = 'check'

/** The commands that find accounts with errors: the README says that they exit with 1. */
const someInvalid = [
  'npx account-import validate examples/samples/accounts.ndjson',
  'npx account-import import examples/samples/accounts.ndjson --mapping mapping.csv --failures failed.ndjson',
  'npx account-import convert data/export/mapping.sql --set supplier=LEVANTE --out data/accounts.ndjson',
  'npx account-import import data/accounts.ndjson',
  'npx account-import reconcile data/accounts.ndjson --supplier LEVANTE',
]

/** Commands in a shell of their own process group that prints each command that fails, as readers run them: it goes on. */
const startShell = (folder: string, commands: string, environment: object) =>
  spawn('bash', ['-c', `trap 'echo "FAILED $? $BASH_COMMAND"' ERR\n${commands}`], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })

type Shell = ChildProcessByStdio<null, Readable, Readable>

/** The output until it ends, or until it contains this text. */
const outputOf = async (shell: Shell, until?: string): Promise<string> => {
  let output = ''
  const ended = once(shell, 'close')
  const printed = new Promise<void>((resolve) => {
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (until !== undefined && output.includes(until)) resolve()
      })
  })
  await Promise.race([ended, printed])
  return output
}

test('every block of the README runs in order in a fresh clone, as written', async (t) => {
  t.timeout(600_000)
  const folder = await tempFolder(t)
  const port = String(await freePort())
  const environment = {
    PORT: port,
    LOG_LEVEL: 'warn',
    // Packages come from the cache where it has them. Nothing but the address of the repository is another one than in the README.
    npm_config_prefer_offline: 'true',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${root}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/account-import/account-import',
  }
  const here = (text: string): string => text.replaceAll('8080', port)
  const blocks = blocksIn('README.md').filter(
    ({ language, label }) => language === 'sh' && label !== ofDevelopers,
  )
  const [start, ...others] = blocks
  t.deepEqual(
    others.map(({ label }) => label),
    ['start', 'readme', 'readme', 'readme', 'embed'],
  )

  const service: Shell = startShell(folder, here(start?.text ?? ''), environment)
  const end = async (): Promise<void> => {
    if (service.exitCode !== null || service.signalCode !== null || service.pid === undefined) return
    const closed = once(service, 'close')
    // The group: npm does not pass the signal on.
    process.kill(-service.pid, 'SIGTERM')
    await closed
  }
  t.teardown(end)
  const started = await outputOf(service, `http://127.0.0.1:${port}`)
  t.true(started.includes(`http://127.0.0.1:${port}`), started)

  const second = here(others.map(({ text }) => text).join('\n'))
  const shown = await outputOf(startShell(join(folder, 'account-import'), second, environment))
  t.deepEqual(
    [...shown.matchAll(/^FAILED (\d+) (.*)$/gm)]
      .map(([, code, command]) => [code, command])
      // Whether a sample at random has an invalid account is chance.
      .filter(([, command]) => command?.includes('--sample') === false),
    someInvalid.map((command) => ['1', command]),
    shown,
  )
  t.regex(shown, /^created 990, failed 10\.$/m)
  t.regex(shown, /^3 accounts in .*\ncreated 2, failed 1\.$/m)
  t.regex(shown, /^created: +2$/m)
  t.regex(shown, /^started by: +key \w+ \(Demo key\)$/m)
  t.regex(shown, /^4 of 7 proved; 3 never imported\.$/m)
  t.regex(shown, /"external_account_number":"LEV-G-000123"/)
  t.regex(shown, /^status .*COMPLETED/ms)
  await end()
})
