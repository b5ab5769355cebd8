import { execFile } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { cliInProcess } from '../support/cli-in-process.js'
import { cli, outcomeOf, spawnCli } from '../support/cli-process.js'
import { serveProcess } from '../support/serve-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { untilSaid } from '../support/until-said.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const execute = promisify(execFile)

type Announced = {
  address: string
  demo: { api_key: string | null; api_key_file: string; import_supplier: string }
}

test('the demo is made once: its key is printed in the run that made it, and kept where only its owner can read it', async (t) => {
  const dataDir = await tempFolder(t)
  const first = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  const { demo } = first.announced as Announced
  t.is(demo.import_supplier, 'LEVANTE')
  t.is(demo.api_key_file, join(dataDir, 'demo-api-key'))
  t.is((await readFile(demo.api_key_file, 'utf8')).trim(), demo.api_key ?? '')
  first.child.kill('SIGTERM')
  await first.ended
  const second = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
  t.deepEqual((second.announced as Announced).demo, { ...demo, api_key: null })
  t.is((await stat(join(dataDir, 'demo-api-key'))).mode & 0o777, 0o600)
  for (const [list, length] of [
    ['organisation', 1],
    ['supplier', 1],
    ['team', 1],
    ['api-key', 1],
  ] as const) {
    const { stdout } = await cliInProcess([list, 'list', '--json'], { DATA_DIR: dataDir })
    t.is((JSON.parse(stdout) as unknown[]).length, length)
  }
})

test('the commands that the demo prints do the main job, typed as they are', async (t) => {
  const child = spawnCli(['serve', '--demo'], {
    PORT: '0',
    DATA_DIR: await tempFolder(t),
    LOG_LEVEL: 'silent',
  })
  const ended = outcomeOf(child)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const text = await untilSaid(child.stderr, 'all-account-import-processes')
  const script = text.slice(text.indexOf('# Obtain'))
  t.is(text.match(/aik_/g)?.length, 1, 'the key is printed once, and stands in no command')
  const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', script], { cwd: root })
  const lines = stdout.trim().split('\n')
  const [validated, staged, processed, notes, transactions, statements, instruction, status] = lines
    .slice(0, 8)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const list = JSON.parse(lines.slice(8).join('')) as readonly Record<string, unknown>[]
  t.is(validated?.['external_account_number'], 'LEV-G-000123')
  t.deepEqual(staged, { import_supplier: 'LEVANTE', external_account_number: 'LEV-G-000123' })
  t.regex(String(processed?.['platform_account_number']), /^[A-Z0-9-]+$/)
  const platformNumber = processed?.['platform_account_number']
  t.like(notes, { length: 4, 0: { status: 'NOTE_CREATION_SUCCESS' } })
  t.like(transactions, { results: { length: 5, 0: { status: 'TRANSACTION_ADDED_TO_ACCOUNT' } } })
  t.like(statements, { statements: { length: 2 } })
  t.deepEqual(instruction, {
    platform_account_number: platformNumber,
    reference: 'sandbox-card-000123',
  })
  t.like(status, { status: 'COMPLETED', platform_account_number: platformNumber })
  t.is(list.length, 1)
  t.like(list[0], { external_account_number: 'LEV-G-000123', platform_account_number: platformNumber })
})

test('a demo that was interrupted or lost its database or its key is made whole again', async (t) => {
  const dataDir = await tempFolder(t)
  const announcedBy = async (): Promise<string> => {
    const { child, ended } = await serveProcess(t, { DATA_DIR: dataDir }, ['--demo'])
    child.kill('SIGTERM')
    await ended
    return readFile(join(dataDir, 'demo-api-key'), 'utf8')
  }
  await cliInProcess(['organisation', 'create', 'DEMO'], { DATA_DIR: dataDir })
  const first = await announcedBy()
  await rm(join(dataDir, 'demo-api-key'))
  const second = await announcedBy()
  t.not(second, first)
  for (const file of await readdir(dataDir))
    if (file.startsWith('account-import.sqlite')) await rm(join(dataDir, file))
  const third = await announcedBy()
  t.not(third, second)
  t.is(await announcedBy(), third)
})

test('the demo leaves a service with organisations of its own alone', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  await cliInProcess(['organisation', 'create', 'ACME'], environment)
  t.is((await serveProcess(t, environment, ['--demo'])).announced['demo'], null)
  const { stdout } = await cliInProcess(['api-key', 'list', '--json'], environment)
  t.deepEqual(JSON.parse(stdout), [])
})

test('the demo is refused on a database server', async (t) => {
  const { code, stderr } = await cli(['serve', '--demo'], {
    DATABASE_URL: 'mysql://u:p@127.0.0.1:1/imports',
    TOKEN_SIGNING_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  t.is(code, 2)
  t.regex(stderr, /leave DATABASE_URL out/)
})
