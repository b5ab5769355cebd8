import test from 'ava'
import { spawn, spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { bin, outcomeOf } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'

/** Runs what follows as a user that no list of users has: root by the system call, others in a namespace of their own. */
const asNameless =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=12345', '--regid=12345', '--clear-groups']
    : ['unshare', '--user', '--map-user=12345']

const isPossible = spawnSync(asNameless[0] ?? '', [...asNameless.slice(1), 'true']).status === 0
if (!isPossible && process.env['REQUIRE_SERVERS'] === '1')
  throw new Error('No process can run as another user, and REQUIRE_SERVERS=1 asks for it')
if (!isPossible) console.error('No process can run as another user: a test is left out (util-linux, root)')

const whereProcessesCan = isPossible ? test : test.skip

whereProcessesCan('commands run as a user that has no name, and the record says its number', async (t) => {
  const folder = await tempFolder(t)
  await chmod(folder, 0o777)
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data') }
  const run = (...args: string[]) => {
    const [program = '', ...others] = [...asNameless, process.execPath, bin, ...args]
    return outcomeOf(spawn(program, others, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  }
  t.like(await run('organisation', 'create', 'ACME'), { code: 0, stderr: 'Organisation ACME was created.\n' })
  const { stdout } = await run('audit', 'list', '--json')
  const who = (JSON.parse(stdout) as { who: string; subject?: string }[])
    .filter(({ subject }) => subject === 'createOrganisation ACME')
    .map((entry) => entry.who)
  t.deepEqual(who, ['operator uid 12345', 'operator uid 12345'])
})
