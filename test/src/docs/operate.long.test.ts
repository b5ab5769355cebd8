import { connectSql } from '@account-import/adapter-sql'
import { createClient, type Client } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { spawn } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { findExecutable } from '../servers/executables.js'
import { mariaDbAvailable, startMariaDb } from '../servers/index.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { root } from '../support/repository.js'
import { successOf } from '../support/results.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { tempFolder } from '../support/temp-folder.js'
import { journeys, type Addressed } from '../upgrade/journeys.js'
import { quickNpx } from './quick-npx.js'
import { blocksOf } from './readme.js'

const page = 'docs/how-to/operate.md'

/** A folder from which the program is found, as after `npm install`. */
const folderOf = async (t: ExecutionContext): Promise<string> => {
  const folder = await tempFolder(t)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs a block of the page in a shell; what it printed. */
const runBlock = (
  folder: string,
  label: string,
  elsewhere = (block: string): string => block,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const [block] = blocksOf('sh', label, page)
    if (block === undefined) throw new Error(`${page} has no block ${label}`)
    const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', quickNpx + elsewhere(block)], {
      cwd: folder,
      env: {
        PATH: [join(folder, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
        HOME: folder,
      },
    })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    shell.on('error', reject)
    shell.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${label}: ${output}`))))
  })

const before = 12

type Numbers = ReadonlyMap<string, string | null | undefined>

/** What clients were told of the accounts that exist before the backup. */
const numbersOf = async (client: Client, { supplier }: Addressed): Promise<Numbers> => {
  const numbers = new Map<string, string | null | undefined>()
  for (let index = 0; index < before; index += 1) {
    const { body } = successOf(await client.transferStatus(supplier, `U-${index}`))
    numbers.set(`U-${index}`, body.platform_account_number)
  }
  return numbers
}

type Drill = Readonly<{
  addressed: Addressed
  environment: CliEnvironment
  backUp(): Promise<unknown>
  restore(): Promise<string>
  /** The environment of servers on what was restored. */
  restored: CliEnvironment
}>

/** Backs up while accounts are created, restores, and asks what was restored for all that was there before. */
const drill = async (
  t: ExecutionContext,
  { addressed, environment, backUp, restore, restored }: Drill,
): Promise<void> => {
  const server = await startServerProcess(environment)
  const client = createClient({ baseUrl: server.address, apiKey: addressed.apiKey })
  t.deepEqual(await journeys([client], addressed, 0, before), [])
  const told = await numbersOf(client, addressed)
  const [faults] = await Promise.all([journeys([client], addressed, before, 4 * before), backUp()])
  t.deepEqual(faults, [])
  await server.stop()
  const said = await restore()
  t.regex(said, /No migration is pending\./)
  t.regex(said, /^No break in \d+ imports, \d+ accounts with/m)
  const again = await startServerProcess(restored)
  try {
    const asked = createClient({ baseUrl: again.address, apiKey: addressed.apiKey })
    t.deepEqual(await numbersOf(asked, addressed), told)
    t.true([...told.values()].every((number) => typeof number === 'string'))
  } finally {
    await again.stop()
  }
}

const dumpAvailable = (): boolean => {
  if (findExecutable('mariadb-dump') !== undefined || process.env['REQUIRE_SERVERS'] === '1') return true
  console.error('mariadb-dump is not installed: its test is left out (apt-get install mariadb-client)')
  return false
}

if (mariaDbAvailable() && dumpAvailable())
  test('a dump of MariaDB under load is restored by the commands of the page, and everything in it agrees', async (t) => {
    const folder = await folderOf(t)
    const server = await startMariaDb()
    t.teardown(() => server.stop())
    const knex = connectSql(await server.createDatabase())
    await knex.raw('CREATE DATABASE account_import CHARACTER SET utf8mb4')
    await knex.destroy()
    const [address = ''] = blocksOf('ini', 'address', page)
    const own = address
      .replace('3306', String(server.port))
      .replace('user=import', 'user=root')
      .replace(/password=.*/, 'password=')
    await writeFile(join(folder, 'database.cnf'), own)
    const database = await openSharedDatabase(server.url('account_import'))
    t.teardown(() => database.close())
    const url = server.url('restored')
    await drill(t, {
      addressed: database,
      environment: database.environment,
      backUp: () => runBlock(folder, 'backup-mariadb'),
      restore: () => runBlock(folder, 'restore-mariadb', (block) => block.replace(/mysql:\/\/[^']+/, url)),
      restored: { ...database.environment, DATABASE_URL: url },
    })
  })

test('a copy of SQLite under load is restored by the commands of the page, and everything in it agrees', async (t) => {
  const folder = await folderOf(t)
  const dataDir = join(folder, 'data')
  const first = await startServerProcess({ DATA_DIR: dataDir })
  await first.stop()
  const database = await openSharedDatabase(`sqlite:${join(dataDir, 'account-import.sqlite')}`)
  t.teardown(() => database.close())
  await drill(t, {
    addressed: database,
    environment: { DATA_DIR: dataDir },
    backUp: () => runBlock(folder, 'backup-sqlite'),
    restore: () => runBlock(folder, 'restore-sqlite'),
    restored: { DATA_DIR: join(folder, 'restored') },
  })
})
