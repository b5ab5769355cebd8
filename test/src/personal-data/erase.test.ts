import { connectSql } from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { mariaDbAvailable, startMariaDb } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { allRows } from './support/all-rows.js'
import { plantedAccount } from './support/planted-account.js'
import { createWhole, served } from './support/served-journey.js'

/** What money and the register need of an account: these texts stay. */
const stays = /(?:^|\.)(?:ledger_code|account_type|communication_preference)$/

type Rows = ReadonlyMap<string, string>

const tablesWith = (rows: Rows, value: string): readonly string[] =>
  [...rows].flatMap(([table, text]) => (text.includes(value) ? [table] : []))

/** Without what the server seals meanwhile. */
const unsealedLeftOut = (rows: Rows): Rows =>
  new Map(
    [...rows]
      .filter(([table]) => !/^(?:audit|turns)/.test(table))
      .map(([table, text]) => [
        table,
        text.replaceAll(/"unsealed":(?:null|"(?:[^"\\]|\\.)*"),"unsealed_since":(?:null|"[^"]*")/g, ''),
      ]),
  )

/** All bytes of a database file, of its log and its index of the log. */
const bytesBeside = async (file: string): Promise<string> => {
  const names = (await readdir(dirname(file))).filter((name) => name.startsWith(basename(file)))
  const contents = await Promise.all(names.map((name) => readFile(join(dirname(file), name), 'utf8')))
  return contents.join('\n')
}

const exportAndErase = async (t: ExecutionContext, given: CliEnvironment, url: string): Promise<void> => {
  const journey = await served(t, given)
  const { post, environment } = journey
  const knex = connectSql(url)
  t.teardown(() => knex.destroy())
  const one = await plantedAccount('gas-account.json', 'LEVANTE', 'E-1')
  const other = await plantedAccount('electricity-account.json', 'LEVANTE', 'E-2')
  const configured = await cliInProcess(
    ['supplier', 'configure', 'LEVANTE', '--migration-emails', 'on'],
    environment,
  )
  t.is(configured.code, 0, configured.stderr)
  for (const account of [one, other])
    for (const answer of await createWhole(journey, account))
      t.true(answer.ok, `${answer.url}: ${await answer.clone().text()}`)
  const before = await allRows(knex, url)
  const held = one.canaries.filter(({ value }) => tablesWith(before, value).length > 0)
  t.true(held.length > 60, `${held.length} canaries are held`)

  const exported = await cliInProcess(['export-subject', 'LEVANTE', 'E-1'], environment)
  t.is(exported.code, 0, exported.stderr)
  const document = JSON.parse(exported.stdout) as Record<string, unknown>
  t.deepEqual(document['staged_data'], { ...one.account })
  t.is((document['kept_answers'] as unknown[]).length, 6)
  t.deepEqual(
    held.filter(({ value }) => !exported.stdout.includes(value)),
    [],
    'held, and not exported',
  )
  t.deepEqual(
    other.canaries.filter(({ value }) => exported.stdout.includes(value)),
    [],
    'of another account',
  )
  t.is(
    (await cliInProcess(['export-subject', 'LEVANTE', 'E-1', '--json'], environment)).stdout,
    exported.stdout,
  )

  const unconfirmed = unsealedLeftOut(await allRows(knex, url))
  const counted = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--json'], environment)
  t.is(counted.code, 2)
  const preview = JSON.parse(counted.stdout) as {
    would_remove: Record<string, number>
    error: { code: string }
  }
  t.is(preview.error.code, 'confirmation_needed')
  const asked = await cliInProcess(['erase', 'LEVANTE', 'E-1'], environment)
  t.is(asked.code, 2)
  t.regex(asked.stderr, /would remove: staged data 1, rows \d\d+, .*\nNothing was changed\..*--yes/)
  t.deepEqual(unsealedLeftOut(await allRows(knex, url)), unconfirmed, 'without --yes nothing is changed')
  for (const { value } of one.canaries) t.false(`${counted.stdout}${asked.stderr}`.includes(value))

  const erased = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes', '--json'], environment)
  t.is(erased.code, 0, erased.stderr)
  const { removed } = JSON.parse(erased.stdout) as { removed: Record<string, number> }
  t.deepEqual(preview.would_remove, removed, 'it removes what it said it would')
  t.like(removed, { staged_data: 1, emails: 1, kept_answers: 6 })
  const after = await allRows(knex, url)
  t.deepEqual(
    one.canaries.filter(({ path, value }) => !stays.test(path) && tablesWith(after, value).length > 0),
    [],
    'left after it was erased',
  )
  const bytes = url.startsWith('sqlite:') ? await bytesBeside(url.slice('sqlite:'.length)) : ''
  t.deepEqual(
    one.canaries.filter(({ path, value }) => !stays.test(path) && bytes.includes(value)),
    [],
    'left in the files of the database, while a server runs',
  )
  for (const { path, value } of one.canaries)
    if (stays.test(path)) t.true(tablesWith(after, value).length > 0 || !path.startsWith('ledgers'), path)
  const left = other.canaries.filter(({ value }) => tablesWith(after, value).length === 0)
  t.deepEqual(
    left.filter(({ value }) => tablesWith(before, value).length > 0),
    [],
    'of another account',
  )
  const verified = await cliInProcess(['verify'], environment)
  t.is(verified.code, 0, verified.stdout)

  const again = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes'], environment)
  t.is(again.stderr, 'Nothing was left to erase of E-1.\n')
  const restaged = await post('/v1/data-import/account-import-process/create-or-update/', one.account)
  t.is(((await restaged.json()) as { code: string }).code, 'account_already_imported')
  const added = await post('/v1/data-import/notes/create/', one.notes)
  t.is(added.status, 404)
  const status = await journey.get('/v1/data-import/account-transfer-status/LEVANTE/E-1/')
  t.like(await status.json(), { status: 'COMPLETED' })
  const shown = await cliInProcess(['account', 'show', 'LEVANTE', 'E-1'], environment)
  t.is(shown.code, 0, shown.stderr)
}

test('what is exported of an account is all that is held of it, and is gone once it is erased (SQLite)', async (t) => {
  const folder = await tempFolder(t)
  await exportAndErase(t, { DATA_DIR: folder }, `sqlite:${join(folder, 'account-import.sqlite')}`)
})

if (mariaDbAvailable())
  test('what is exported of an account is all that is held of it, and is gone once it is erased (MariaDB)', async (t) => {
    const server = await startMariaDb()
    t.teardown(() => server.stop())
    const url = await server.createDatabase()
    const folder = await tempFolder(t)
    const key = randomBytes(32).toString('base64')
    await exportAndErase(t, { DATABASE_URL: url, DATA_DIR: folder, TOKEN_SIGNING_KEY: key }, url)
  })

test('while others read from the log of SQLite, erase says that the data is still there', async (t) => {
  const folder = await tempFolder(t)
  const journey = await served(t, { DATA_DIR: folder })
  const { account } = await plantedAccount('gas-account.json', 'LEVANTE', 'E-1')
  await journey.post('/v1/data-import/account-import-process/create-or-update/', account)
  const reader = connectSql(`sqlite:${join(folder, 'account-import.sqlite')}`)
  t.teardown(() => reader.destroy())
  await reader.raw('SAVEPOINT reading')
  await reader.raw('SELECT * FROM account_imports')
  const erase = () => cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes', '--json'], journey.environment)
  const held = await erase()
  t.is(held.code, 0, held.stderr)
  t.like(JSON.parse(held.stdout), { removed: { staged_data: 1 }, log_remains: true })
  const told = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes'], journey.environment)
  t.regex(told.stderr, /still in the log beside the database file/)
  await reader.raw('RELEASE reading')
  t.like(JSON.parse((await erase()).stdout), { log_remains: false })
})

test('an account that is not created is erased too, and stays away until an operator wants it back', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  const journey = await served(t, environment)
  const { account } = await plantedAccount('gas-account.json', 'LEVANTE', 'E-1')
  const stage = () => journey.post('/v1/data-import/account-import-process/create-or-update/', account)
  t.is((await stage()).status, 201)
  const erased = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes'], journey.environment)
  t.is(
    erased.stderr,
    'Account E-1 was erased: staged data 1, rows 0, texts of transactions 0, e-mails 0, kept answers 1.\n',
  )
  t.is(((await (await stage()).json()) as { code: string }).code, 'account_marked_to_skip')
  t.is((await cliInProcess(['verify'], journey.environment)).code, 0)
  t.is((await cliInProcess(['skip', 'LEVANTE', 'E-1', '--undo'], journey.environment)).code, 0)
  t.is((await stage()).status, 201)
  const unknown = await cliInProcess(['erase', 'LEVANTE', 'E-9', '--yes'], journey.environment)
  t.is(unknown.code, 2)
  t.is((await cliInProcess(['export-subject', 'LEVANTE', 'E-9'], journey.environment)).code, 2)
})
