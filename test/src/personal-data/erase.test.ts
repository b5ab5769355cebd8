import { connectSql } from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  type DatabaseServer,
  mariaDbAvailable,
  postgresqlAvailable,
  startMariaDb,
  startPostgresql,
  testsWithoutServers,
} from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { newKey } from '../support/key-rings.js'
import { tempFolder } from '../support/temp-folder.js'
import { plantedAccount, type PlantedAccount } from './support/planted-account.js'
import { createWhole, served } from './support/served-journey.js'

/** The data of a server: its environment, and the address of the database. */
type Place = (t: ExecutionContext) => Promise<Readonly<{ given: CliEnvironment; url: string }>>

const inFile: Place = async (t) => {
  const folder = await tempFolder(t)
  return { given: { DATA_DIR: folder }, url: `sqlite:${join(folder, 'account-import.sqlite')}` }
}

const places: Record<string, Place> = testsWithoutServers ? { SQLite: inFile } : {}

/** Tests on a server of this name, which the test file starts. */
const onServer = (name: string, start: () => Promise<DatabaseServer>): void => {
  let server: DatabaseServer | undefined
  test.before(`start ${name}`, async () => {
    server = await start()
  })
  test.after.always(`stop ${name}`, () => server?.stop())
  places[name] = async (t) => {
    const url = (await server?.createDatabase()) ?? t.fail(`${name} was not started`)
    const key = randomBytes(32).toString('base64')
    return { given: { DATABASE_URL: url, DATA_DIR: await tempFolder(t), TOKEN_SIGNING_KEY: key }, url }
  }
}

if (mariaDbAvailable()) onServer('MariaDB', startMariaDb)
if (postgresqlAvailable()) onServer('PostgreSQL', startPostgresql)

/** The texts of an account that stay, for its sums and the registers. */
const stays = /(?:^|\.)(?:ledger_code|account_type|communication_preference)$/

type Knex = ReturnType<typeof connectSql>
type Rows = ReadonlyMap<string, string>

const tablesOf = async (knex: Knex, url: string): Promise<readonly string[]> => {
  if (url.startsWith('sqlite:')) return await knex('sqlite_master').where({ type: 'table' }).pluck('name')
  const here = knex('information_schema.tables').whereRaw(
    `table_schema = ${url.startsWith('mysql:') ? 'DATABASE()' : 'CURRENT_SCHEMA()'}`,
  )
  return here.pluck('table_name')
}

/** The row, with bytes as the texts that they are. */
const withTexts = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [
      column,
      value instanceof Uint8Array ? value.toString() : value,
    ]),
  )

/** Every row of every table of a database, as a text for each table. */
const allRows = async (knex: Knex, url: string): Promise<Rows> => {
  const all = new Map<string, string>()
  for (const name of await tablesOf(knex, url))
    all.set(name, JSON.stringify(((await knex(name).select('*')) as object[]).map(withTexts)))
  return all
}

const tablesWith = (rows: Rows, value: string): readonly string[] =>
  [...rows].flatMap(([table, text]) => (text.includes(value) ? [table] : []))

/** The columns of an import with events that are not sealed yet. */
const unsealed = /"unsealed(?:_since)?":(?:null|"(?:[^"\\]|\\.)*"),?/g

/** Without the events that the server seals meanwhile. */
const withoutUnsealed = (rows: Rows): Rows =>
  new Map(
    [...rows].flatMap(([table, text]) =>
      /^(?:audit|leases)/.test(table) ? [] : [[table, text.replaceAll(unsealed, '')] as const],
    ),
  )

/** All bytes of a database file, of its log and its index of the log. */
const bytesBeside = async (file: string): Promise<string> => {
  const names = (await readdir(dirname(file))).filter((name) => name.startsWith(basename(file)))
  const contents = await Promise.all(names.map((name) => readFile(join(dirname(file), name), 'utf8')))
  return contents.join('\n')
}

const sendEmails = async (t: ExecutionContext, environment: CliEnvironment): Promise<void> => {
  const args = ['supplier', 'configure', 'LEVANTE', '--migration-emails', 'on']
  const { code, stderr } = await cliInProcess(args, environment)
  t.is(code, 0, stderr)
}

const exportAndErase = async (
  t: ExecutionContext,
  { given, url }: Awaited<ReturnType<Place>>,
): Promise<void> => {
  const journey = await served(t, given)
  const { post, environment } = journey
  const knex = connectSql(url)
  t.teardown(() => knex.destroy())
  const one = await plantedAccount('gas-account.json', 'LEVANTE', 'E-1')
  const other = await plantedAccount('electricity-account.json', 'LEVANTE', 'E-2')
  await sendEmails(t, environment)
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
  t.is((document['idempotency_records'] as unknown[]).length, 6)
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

  const unconfirmed = withoutUnsealed(await allRows(knex, url))
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
  t.deepEqual(withoutUnsealed(await allRows(knex, url)), unconfirmed, 'without --yes nothing is changed')
  for (const { value } of one.canaries) t.false(`${counted.stdout}${asked.stderr}`.includes(value))

  const erased = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes', '--json'], environment)
  t.is(erased.code, 0, erased.stderr)
  const { removed } = JSON.parse(erased.stdout) as { removed: Record<string, number> }
  t.deepEqual(preview.would_remove, removed, 'it removes what it said it would')
  t.like(removed, { staged_data: 1, emails: 1, idempotency_records: 6 })
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
  t.is(again.stderr, 'There is no data to erase of E-1.\n')
  const restaged = await post('/v1/data-import/account-import-process/create-or-update/', one.account)
  t.is(((await restaged.json()) as { code: string }).code, 'account_already_imported')
  const added = await post('/v1/data-import/notes/create/', one.notes)
  t.is(added.status, 404)
  const status = await journey.get('/v1/data-import/account-transfer-status/LEVANTE/E-1/')
  t.like(await status.json(), { status: 'COMPLETED' })
  const shown = await cliInProcess(['account', 'show', 'LEVANTE', 'E-1'], environment)
  t.is(shown.code, 0, shown.stderr)
}

for (const [name, place] of Object.entries(places))
  test(`export-subject prints all stored data of an account, and nothing after it is erased (${name})`, async (t) =>
    exportAndErase(t, await place(t)))

test('erase reports remaining data while another process reads the log of SQLite', async (t) => {
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

test('an account that is not created can be erased, and stays refused until an operator allows it', async (t) => {
  const environment = { DATA_DIR: await tempFolder(t) }
  const journey = await served(t, environment)
  const { account } = await plantedAccount('gas-account.json', 'LEVANTE', 'E-1')
  const stage = () => journey.post('/v1/data-import/account-import-process/create-or-update/', account)
  t.is((await stage()).status, 201)
  const erased = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes'], journey.environment)
  t.is(
    erased.stderr,
    'Account E-1 was erased: staged data 1, rows 0, texts of transactions 0, e-mails 0, idempotency records 1, failures of import runs 0.\n',
  )
  t.is(((await (await stage()).json()) as { code: string }).code, 'account_marked_to_skip')
  t.is((await cliInProcess(['verify'], journey.environment)).code, 0)
  t.is((await cliInProcess(['skip', 'LEVANTE', 'E-1', '--undo'], journey.environment)).code, 0)
  t.is((await stage()).status, 201)
  const unknown = await cliInProcess(['erase', 'LEVANTE', 'E-9', '--yes'], journey.environment)
  t.is(unknown.code, 2)
  t.is((await cliInProcess(['export-subject', 'LEVANTE', 'E-9'], journey.environment)).code, 2)
})

/** A text for searches or comparisons, or a code: it is not encrypted. */
const staysPlain =
  /(?:^|\.)(?:external_account_number|transaction_id|statement_id|ledger_code|account_type|sales_channel|namespace)$/

/** A journey of two accounts, one created with all additions and one staged, with e-mails on. */
const journeyOf = async (t: ExecutionContext, environment: CliEnvironment) => {
  const journey = await served(t, environment)
  await sendEmails(t, journey.environment)
  const one = await plantedAccount('gas-account.json', 'LEVANTE', 'E-1')
  const two = await plantedAccount('electricity-account.json', 'LEVANTE', 'E-2')
  const staged = await plantedAccount('gas-account.json', 'LEVANTE', 'E-3')
  for (const account of [one, two])
    for (const answer of await createWhole(journey, account))
      t.true(answer.ok, `${answer.url}: ${await answer.clone().text()}`)
  const answer = await journey.post(
    '/v1/data-import/account-import-process/create-or-update/',
    staged.account,
  )
  t.is(answer.status, 201)
  return { ...journey, planted: [one, two, staged] }
}

const canariesOf = (planted: readonly PlantedAccount[]) => planted.flatMap(({ canaries }) => canaries)

const readable = (text: string, planted: readonly PlantedAccount[]): readonly string[] =>
  canariesOf(planted)
    .filter(({ path, value }) => !staysPlain.test(path) && text.includes(value))
    .map(({ path }) => path)

const bytesIn = async (folder: string): Promise<string> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

test('the files of an encrypted database contain none of 150 planted values, and those of a plain one all (SQLite)', async (t) => {
  const [plain, encrypted] = [await tempFolder(t), await tempFolder(t)]
  const { planted } = await journeyOf(t, { DATA_DIR: plain })
  t.true(canariesOf(planted).length >= 150, String(canariesOf(planted).length))
  const found = readable(await bytesIn(plain), planted)
  t.true(found.length > 120, `${found.length} in plain files`)
  const other = await journeyOf(t, { DATA_DIR: encrypted, ENCRYPTION_KEYS: newKey() })
  t.deepEqual(readable(await bytesIn(encrypted), other.planted), [])
})

/** Commands without the keys, with another one, and with a new one before it. */
const keysAreNeeded = async (
  t: ExecutionContext,
  environment: CliEnvironment,
  key: string,
): Promise<void> => {
  const { ENCRYPTION_KEYS: _, ...without } = environment
  const next = newKey()
  for (const keyless of [without, { ...environment, ENCRYPTION_KEYS: next }])
    for (const args of [['verify'], ['supplier', 'list'], ['serve'], ['export-subject', 'LEVANTE', 'E-1']]) {
      const refused = await cliInProcess([...args, '--json'], keyless)
      t.is(refused.code, 3, args.join(' '))
      t.regex(refused.stdout + refused.stderr, /encrypted with the key/, args.join(' '))
    }
  const told = await cliInProcess(['supplier', 'list', '--json'], without)
  t.regex(told.stdout + told.stderr, /"code":\s*"encryption_key_missing"/)
  const status = await cliInProcess(['encryption', 'status', '--json'], without)
  t.is(status.code, 0, status.stderr)
  const { current_key, uses } = JSON.parse(status.stdout) as {
    current_key: unknown
    uses: readonly { what: string; key: string; count: number }[]
  }
  t.is(current_key, null)
  t.deepEqual(
    uses.map(({ what, count }) => `${what} ${count}`),
    ['staged_data 3', 'idempotency_records 14'],
  )
  const named = await cliInProcess(['encryption', 'status'], environment)
  t.true(named.stdout.includes(`${uses[0]?.key} (current)`), named.stdout)
  t.is((await cliInProcess(['encryption', 'rewrap'], without)).code, 2)
  const both = { ...environment, ENCRYPTION_KEYS: `${next}, ${key}` }
  const rewrapped = await cliInProcess(['encryption', 'rewrap', '--json'], both)
  t.is(rewrapped.code, 0, rewrapped.stderr)
  t.like(JSON.parse(rewrapped.stdout), { rewrapped: 17, on_other_keys: 0 })
  t.is((await cliInProcess(['verify'], { ...environment, ENCRYPTION_KEYS: next })).code, 0)
  const back = await cliInProcess(['encryption', 'rewrap'], {
    ...environment,
    ENCRYPTION_KEYS: `${key},${next}`,
  })
  t.regex(back.stderr, /^17 data keys were wrapped again; 0 use another key/)
}

const readsAndErases = async (
  t: ExecutionContext,
  { given, url }: Awaited<ReturnType<Place>>,
): Promise<void> => {
  const key = newKey()
  const { planted, environment, get, post } = await journeyOf(t, { ...given, ENCRYPTION_KEYS: key })
  const knex = connectSql(url)
  t.teardown(() => knex.destroy())
  t.deepEqual(readable([...(await allRows(knex, url)).values()].join('\n'), planted), [])
  const verified = await cliInProcess(['verify'], environment)
  t.is(verified.code, 0, verified.stdout)
  const [one] = planted as [PlantedAccount]
  const exported = await cliInProcess(['export-subject', 'LEVANTE', 'E-1'], environment)
  t.is(exported.code, 0, exported.stderr)
  const document = JSON.parse(exported.stdout) as Record<string, unknown>
  t.deepEqual(document['staged_data'], { ...one.account })
  // Nothing but the hash is kept of the request that was validated with a key.
  t.is((document['idempotency_records'] as unknown[]).length, 6)
  t.deepEqual(
    one.canaries.filter(({ value }) => !exported.stdout.includes(value)),
    [],
    'all that was sent is read again',
  )
  t.is((await get('/v1/data-import/account-transfer-status/LEVANTE/E-1/')).status, 200)
  const notes = await post('/v1/data-import/notes/create/', one.notes)
  t.true(notes.ok, 'the same notes again')
  const again = await cliInProcess(['export-subject', 'LEVANTE', 'E-1'], environment)
  const notesOf = (text: string): unknown =>
    (JSON.parse(text) as { account: { notes: unknown } }).account.notes
  t.deepEqual(notesOf(again.stdout), notesOf(exported.stdout), 'are known, and not added twice')

  await keysAreNeeded(t, environment, key)

  const keyed = async (): Promise<readonly unknown[]> =>
    (
      await Promise.all(
        ['account_imports', 'idempotency_records'].map((table) =>
          knex(table).where({ external_account_number: 'E-1' }).whereNotNull('data_key').pluck('data_key'),
        ),
      )
    ).flat()
  t.is((await keyed()).length, 8)
  const erased = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes', '--json'], environment)
  t.is(erased.code, 0, erased.stderr)
  t.deepEqual(await keyed(), [], 'its data keys are destroyed')
  t.is((await cliInProcess(['verify'], environment)).code, 0)
  t.is((await cliInProcess(['account', 'show', 'LEVANTE', 'E-1'], environment)).code, 0)
}

for (const [name, place] of Object.entries(places))
  test(`encrypted data is read by every reader, and erased with its data keys (${name})`, async (t) =>
    readsAndErases(t, await place(t)))
