import { connectSql } from '@account-import/adapter-sql'
import test, { type ExecutionContext } from 'ava'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allRows } from '../personal-data/support/all-rows.js'
import { plantedAccount, type PlantedAccount } from '../personal-data/support/planted-account.js'
import { createWhole, served } from '../personal-data/support/served-journey.js'
import { mariaDbAvailable, startMariaDb } from '../servers/index.js'
import { cliInProcess } from '../support/cli-in-process.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { tempFolder } from '../support/temp-folder.js'
import { newKey } from '../support/key-rings.js'

/** What is searched, compared, or a code: it stays as it is. */
const staysPlain =
  /(?:^|\.)(?:external_account_number|transaction_id|statement_id|ledger_code|account_type|sales_channel|namespace)$/

/** A journey of two accounts, one created with all additions and one staged, with e-mails on. */
const journeyOf = async (t: ExecutionContext, environment: CliEnvironment) => {
  const journey = await served(t, environment)
  const configured = await cliInProcess(
    ['supplier', 'configure', 'LEVANTE', '--migration-emails', 'on'],
    journey.environment,
  )
  t.is(configured.code, 0, configured.stderr)
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

test('in the files of an encrypted database none of 150 planted values is found, in those of a plain one all are (SQLite)', async (t) => {
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
    ['staged_data 3', 'accounts 2', 'kept_answers 14'],
  )
  const named = await cliInProcess(['encryption', 'status'], environment)
  t.true(named.stdout.includes(`${uses[0]?.key} (current)`), named.stdout)
  t.is((await cliInProcess(['encryption', 'rewrap'], without)).code, 2)
  const both = { ...environment, ENCRYPTION_KEYS: `${next}, ${key}` }
  const rewrapped = await cliInProcess(['encryption', 'rewrap', '--json'], both)
  t.is(rewrapped.code, 0, rewrapped.stderr)
  t.like(JSON.parse(rewrapped.stdout), { rewrapped: 19, on_other_keys: 0 })
  t.is((await cliInProcess(['verify'], { ...environment, ENCRYPTION_KEYS: next })).code, 0)
  const back = await cliInProcess(['encryption', 'rewrap'], {
    ...environment,
    ENCRYPTION_KEYS: `${key},${next}`,
  })
  t.regex(back.stderr, /^19 data keys were wrapped anew; 0 hang on another key/)
}

const readsAndErases = async (t: ExecutionContext, given: CliEnvironment, url: string): Promise<void> => {
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
  t.is((document['kept_answers'] as unknown[]).length, 6)
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
        ['account_imports', 'accounts', 'kept_answers'].map((table) =>
          knex(table).where({ external_account_number: 'E-1' }).whereNotNull('data_key').pluck('data_key'),
        ),
      )
    ).flat()
  t.is((await keyed()).length, 9)
  const erased = await cliInProcess(['erase', 'LEVANTE', 'E-1', '--yes', '--json'], environment)
  t.is(erased.code, 0, erased.stderr)
  t.deepEqual(await keyed(), [], 'its data keys are destroyed')
  t.is((await cliInProcess(['verify'], environment)).code, 0)
  t.is((await cliInProcess(['account', 'show', 'LEVANTE', 'E-1'], environment)).code, 0)
}

test('what is encrypted is read again by all that reads it, and erased with its data keys (SQLite)', async (t) => {
  const folder = await tempFolder(t)
  await readsAndErases(t, { DATA_DIR: folder }, `sqlite:${join(folder, 'account-import.sqlite')}`)
})

if (mariaDbAvailable())
  test('what is encrypted is read again by all that reads it, and erased with its data keys (MariaDB)', async (t) => {
    const server = await startMariaDb()
    t.teardown(() => server.stop())
    const url = await server.createDatabase()
    const TOKEN_SIGNING_KEY = randomBytes(32).toString('base64')
    await readsAndErases(t, { DATABASE_URL: url, DATA_DIR: await tempFolder(t), TOKEN_SIGNING_KEY }, url)
  })
