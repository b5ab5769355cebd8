import test, { type ExecutionContext } from 'ava'
import { type Client, createClient } from '@account-import/client'
import { createConnection } from 'mysql2/promise'
import { once } from 'node:events'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mariaDbAvailable, startMariaDb, until } from '../servers/index.js'
import { findExecutable } from '../servers/processes.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { type Addressed, journeys } from '../support/journeys.js'
import { root, textOf } from '../support/repository.js'
import { successOf } from '../support/results.js'
import { startServerProcess } from '../support/server-process.js'
import { openSharedDatabase } from '../support/shared-database.js'
import { tempFolder } from '../support/temp-folder.js'
import { blocksIn } from './readme.js'
import { runShell, startShell } from './shell.js'

/** The pages by which an operator sets up, backs up and restores a database. Their commands are run by tests. */
const operatorPages = [
  'docs/how-to/operate.md',
  'docs/how-to/run-on-mysql.md',
  'docs/how-to/run-on-a-cluster.md',
  'docs/reference/mysql.md',
]

/** The commands that cannot run while other tests do: the label of a block, or the command in a sentence. */
const notRunHere: Readonly<Record<string, string>> = {
  'backup-mysql': 'mysqldump of MySQL is another program than the one of MariaDB',
  'grant-group': 'MariaDB has no Group Replication',
  bootstrap: 'needs a Galera cluster that has lost its majority; npm run faults -- cluster makes one',
  'STOP GROUP_REPLICATION': 'MariaDB has no Group Replication',
  'serve --migrate': 'the sentence is about a cluster without a writer; npm run faults -- cluster makes one',
  upstream: 'nginx is not installed where the tests run',
  'npm run faults -- cluster': 'takes half an hour, and is started by hand',
}

/** Every block of code of the pages. */
const blocks = operatorPages.flatMap((page) => blocksIn(page).map((block) => ({ page, ...block })))

const ran = new Set<string>()

/** The block with this label, which counts as run from now on. */
const blockToRun = (label: string): string => {
  const block = blocks.find((each) => each.label === label)
  if (block === undefined) throw new Error(`no page has a block ${label}`)
  ran.add(label)
  return block.text
}

/** Commands in sentences: two words at least, of which the first is a program, a command of ours, or one of SQL. */
const commandInSentence =
  /^(?:npx|npm run|node_modules\/\S+|account-import|mariadb\S*|mysql\S*|serve|api-key|migrate|verify|[A-Z]{3,}) \S/

/** The commands of the pages that no test has run so far, and that are not listed with a reason. */
const notRun = (): readonly string[] => {
  const unknown = blocks
    .filter(({ label }) => !ran.has(label) && notRunHere[label] === undefined)
    .map(({ page, text }) => `${page}: ${text}`)
  const runTexts = blocks.filter(({ label }) => ran.has(label)).map(({ text }) => text)
  const mentioned = operatorPages
    .flatMap((page) => [...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code))
    .filter((code) => commandInSentence.test(code) && !/[…|]/.test(code))
    .filter((code) => notRunHere[code] === undefined && runTexts.every((text) => !text.includes(code)))
  return [...unknown, ...mentioned]
}

/** Whether a page has a block with this label, or this command in a sentence. */
const isNamed = (command: string): boolean =>
  blocks.some(({ label }) => label === command) ||
  operatorPages.some((page) => textOf(page).includes(`\`${command}\``))

/** A folder from which the program is found, as after `npm install`. */
const folderOf = async (t: ExecutionContext): Promise<string> => {
  const folder = await tempFolder(t)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const before = 12

type Numbers = ReadonlyMap<string, string | null | undefined>

/** The answers to clients about the accounts that exist before the backup. */
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
  /** The environment of servers on the restored data. */
  restored: CliEnvironment
}>

/** Backs up while accounts are created, restores, and expects everything from before the backup in the restored data. */
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
  t.regex(said, /^No inconsistency in \d+ imports, \d+ accounts with/m)
  const again = await startServerProcess(restored)
  try {
    const asked = createClient({ baseUrl: again.address, apiKey: addressed.apiKey })
    t.deepEqual(await numbersOf(asked, addressed), told)
    t.true([...told.values()].every((number) => typeof number === 'string'))
  } finally {
    await again.stop()
  }
}

const programsAvailable = (): boolean => {
  const found = ['mariadb', 'mariadb-dump', 'mariadb-check'].every(
    (name) => findExecutable(name) !== undefined,
  )
  if (found || process.env['REQUIRE_SERVERS'] === '1') return true
  console.error(
    "MariaDB's programs are not installed: tests of pages are left out (apt-get install mariadb-client)",
  )
  return false
}

/** A server with an administrator, and the files, the database and the user that the pages make. */
const operatorOf = async (t: ExecutionContext) => {
  const folder = await folderOf(t)
  const server = await startMariaDb()
  t.teardown(() => server.stop())
  const root = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root', password: '' })
  await root.query("CREATE USER admin IDENTIFIED BY 'a-password'")
  await root.query('GRANT ALL ON *.* TO admin WITH GRANT OPTION')
  await root.end()
  /** A block of a page, with the port and the password of this server. */
  const block = (label: string): string =>
    blockToRun(label).replaceAll('3306', String(server.port)).replaceAll('…', 'a-password')
  await writeFile(join(folder, 'admin.cnf'), block('admin'))
  await writeFile(join(folder, 'database.cnf'), block('address'))
  await writeFile(join(folder, 'create.sql'), block('create'))
  await runShell(folder, 'mariadb --defaults-extra-file=admin.cnf < create.sql')
  /** The address of a database of the server for the user of the service. */
  const url = (database: string): string => `mysql://import:a-password@127.0.0.1:${server.port}/${database}`
  return { folder, server, url, block }
}

/** Starts a server by the block of a page, and ends it as a process manager does once it logs that it serves; its exit code. */
const servedBy = async (
  folder: string,
  block: string,
  serves: string,
  environment: CliEnvironment,
): Promise<unknown> => {
  const shell = startShell(folder, `exec ${block}`, { ...environment, PORT: '0' })
  const ended = once(shell, 'exit')
  let logged = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (logged += text))
  await until(async () => logged.includes(serves), 'it serves').finally(() => shell.kill('SIGTERM'))
  const [code] = (await ended) as unknown[]
  return code
}

const onMariaDb = mariaDbAvailable() && programsAvailable()

if (onMariaDb) {
  test.serial('the commands of the pages set up a MariaDB database, its keys and a server', async (t) => {
    const { folder, block } = await operatorOf(t)
    const shown = await runShell(
      folder,
      `${block('setup')}npx account-import organisation create ACME\n${block('keys')}\n` +
        'echo "$TOKEN_SIGNING_KEY $AUDIT_KEY $DATABASE_URL" > environment',
    )
    t.regex(shown, /No migration is pending\./)
    t.regex(shown, /Nightly import/)
    t.regex(await readFile(join(folder, 'api-key'), 'utf8'), /^aik_\S+\n$/)
    const [signing = '', audit = '', address = ''] = (
      await readFile(join(folder, 'environment'), 'utf8')
    ).split(' ')
    const environment = { DATABASE_URL: address.trim(), TOKEN_SIGNING_KEY: signing, AUDIT_KEY: audit }
    t.is(await servedBy(folder, block('serve'), 'accepting requests', environment), 0)
  })

  test.serial(
    'the commands of the page restore a dump of MariaDB under load, and the consistency check passes',
    async (t) => {
      const { folder, url, block } = await operatorOf(t)
      const database = await openSharedDatabase(url('account_import'))
      t.teardown(() => database.close())
      const { environment } = database
      t.regex(await runShell(folder, block('upgrade'), environment), /up to date/)
      await drill(t, {
        addressed: database,
        environment,
        backUp: () => runShell(folder, block('backup-mariadb')),
        restore: async () => {
          await runShell(folder, block('restore-mariadb'))
          return runShell(folder, block('restored-mariadb'), environment)
        },
        restored: { ...environment, DATABASE_URL: url('restored') },
      })
      await runShell(folder, block('verify'), environment)
      t.is(await readFile(join(folder, 'inconsistencies.tsv'), 'utf8'), '')
      t.regex(await runShell(folder, block('full-disk'), environment), /account_imports\s+OK/)
    },
  )
}

test.serial(
  'the commands of the page restore a copy of SQLite under load, and the consistency check passes',
  async (t) => {
    const folder = await folderOf(t)
    const dataDir = join(folder, 'data')
    const first = await startServerProcess({ DATA_DIR: dataDir })
    await first.stop()
    const database = await openSharedDatabase(`sqlite:${join(dataDir, 'account-import.sqlite')}`)
    t.teardown(() => database.close())
    await drill(t, {
      addressed: database,
      environment: { DATA_DIR: dataDir },
      backUp: () => runShell(folder, blockToRun('backup-sqlite')),
      restore: () => runShell(folder, blockToRun('restore-sqlite')),
      restored: { DATA_DIR: join(folder, 'restored') },
    })
  },
)

if (onMariaDb)
  test.serial('every command of the pages is run by these tests or listed with a reason', (t) => {
    t.true(blocks.length > 12)
    t.deepEqual(notRun(), [])
    t.deepEqual(
      Object.keys(notRunHere).filter((label) => !isNamed(label)),
      [],
      'listed, and on no page',
    )
  })
