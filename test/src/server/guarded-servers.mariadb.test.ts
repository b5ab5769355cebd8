import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectSql } from '@account-import/adapter-sql'
import { createClient } from '@account-import/client'
import test, { type ExecutionContext } from 'ava'
import { guardedServers } from '../sql/support/guarded-servers.js'
import type { CliEnvironment } from '../support/cli-process.js'
import { gasAccount } from '../support/samples.js'
import { tempFolder } from '../support/temp-folder.js'
import { commandPaths } from './support/command-paths.js'
import { shell, type Json } from './support/shell.js'
import { started } from './support/started.js'

const onGuarded = guardedServers()

const secret = (): string => randomBytes(32).toString('base64')

type Other = ReturnType<typeof connectSql>

/**
 * A command, what then is so, and how that is found: by another client of the database, or in what the command printed. The last
 * is the exit code, 0 when absent.
 */
type Tried = readonly [
  command: string,
  expected: unknown,
  find: (other: Other, printed: Json) => unknown,
  code?: number,
]

const column =
  (table: string, name: string, where: Json = {}) =>
  (other: Other) =>
    other(table).where(where).orderBy(name).pluck(name)

/** The number of rows of a table in which the column has a value. */
const having = (table: string, name: string) => async (other: Other) =>
  (await other(table).whereNotNull(name)).length

const printed =
  (...names: readonly string[]) =>
  (_: Other, document: Json) =>
    names.map((name) => document[name])

const runShown = (_: Other, { source, state }: Json) => [(source as Json)['name'], state]

const length = (_: Other, document: Json) => (document as unknown as readonly unknown[]).length

const statuses = column('import_suppliers', 'status')
const stateOf = (externalAccountNumber: string) =>
  column('account_imports', 'state', { external_account_number: externalAccountNumber })
const openFailures = column('open_failures', 'external_account_number')
const bindings = column('operations_team_bindings', 'organisation')
const revoked = having('api_keys', 'revoked_at')
const disabled = having('organisations', 'disabled_at')

/** Without keys of encryption, and before there is a server. */
const first: readonly Tried[] = [
  [
    'migrate',
    ['0001-tables'],
    (other) => other('account_import_migrations').orderBy('id').limit(1).pluck('name'),
  ],
  ['organisation create ACME', ['ACME'], column('organisations', 'code')],
  ['organisation list', 1, length],
  ['supplier create S1 --organisation ACME', ['S1'], column('import_suppliers', 'code')],
  ['supplier set-status S1 paused', ['paused'], statuses],
  ['supplier set-status S1 ongoing', ['ongoing'], statuses],
  ['supplier list', 1, length],
  ['team create North', ['North'], column('operations_teams', 'name')],
  ['team bind North --organisation ACME', ['ACME'], bindings],
  ['team unbind North --organisation ACME', [], bindings],
  ['team list', 1, length],
  ['skip S1 SKIPPED', ['skipped'], stateOf('SKIPPED')],
  ['webhook add https://hooks.example/x --organisation ACME', ['ACME'], column('webhooks', 'organisation')],
  ['webhook list', 1, length],
  [
    'webhook rotate {webhook}',
    1,
    async (other) => (await other('webhooks').where('details', 'like', '%"previous"%')).length,
  ],
  [
    'api-key create --organisation ACME --scope stage --scope process --scope read --scope undo',
    ['ACME'],
    column('api_keys', 'organisation'),
  ],
]

/** With 61 created accounts, beside the server. The second key of encryption is its only one. */
const then: readonly Tried[] = [
  ['verify', [[], 61], printed('breaks', 'accounts')],
  ['webhook test {webhook}', [false, 'name'], printed('accepted', 'code'), 1],
  ['webhook remove {webhook}', [], column('webhooks', 'organisation')],
  [
    'supplier configure S1 --migration-emails on',
    1,
    async (other) =>
      (await other('import_suppliers').where('settings', 'like', '%"migrationEmails":true%')).length,
  ],
  ['supplier show S1', ['S1', 'ongoing'], printed('code', 'status')],
  ['stage {more} {api}', ['staged'], stateOf('C-1')],
  ['process --supplier S1 --team North {api}', ['created'], stateOf('C-1')],
  ['import {refused} --team North {api}', ['X-1'], openFailures, 1],
  ['run open S1 {api}', 1, length],
  ['run dismiss S1 X-1 --reason Closed {api}', [], openFailures],
  ['import {file} --team North {api}', ['created'], stateOf('B-2')],
  ['run list {api}', 3, length],
  ['run show {run} {api}', ['file.ndjson', 'finished'], runShown],
  ['run failures {run} {api}', 0, length],
  ['run finish {run} {api}', 3, having('import_runs', 'finished_at')],
  ['status S1 {api}', [0, 64, 1], printed('staged', 'created', 'skipped')],
  ['reconcile {file} --supplier S1 {api}', [false], printed('proved'), 1],
  ['outbox list', 3, length],
  ['outbox retry --parked', [0], printed('retried')],
  ['account show S1 A-1', ['North'], printed('operations_team')],
  ['export-subject S1 A-1', ['ACME'], printed('organisation')],
  ['undo S1 A-2 {api}', ['created'], stateOf('A-2'), 2],
  ['undo S1 A-2 --confirm {code} {api}', ['none'], stateOf('A-2')],
  ['run undo {run} {api}', ['created'], stateOf('B-1'), 2],
  ['run undo {run} --confirm {code} {api}', ['none'], stateOf('B-1')],
  ['documents missing S1', 183, (_, { missing }) => (missing as readonly unknown[]).length, 1],
  ['encryption status', 2, (_, { uses }) => (uses as readonly unknown[]).length],
  ['encryption rewrap', [64, 0], printed('rewrapped', 'on_other_keys')],
  [
    'erase S1 A-1 --yes',
    1,
    async (other) => (await other('account_imports').where({ state: 'created' }).whereNull('payload')).length,
  ],
  [
    'audit list',
    'migrate 0001-tables 0002-open-failures 0003-imports-in-one-statement',
    (_, events) => (events as unknown as readonly Json[])[0]?.['subject'],
  ],
  ['audit verify', [[]], printed('breaks')],
  ['audit head', 2, length],
  ['api-key list', 1, length],
  ['api-key rotate {key}', 2, async (other) => (await other('api_keys')).length],
  ['api-key revoke {key}', 1, revoked],
  ['organisation disable ACME', 1, disabled],
  ['organisation enable ACME', 0, disabled],
  ['organisation revoke ACME', 2, revoked],
]

/** Commands that use no database; `serve` is the server of the test. */
const without = ['serve', 'validate', 'convert', 'explain', 'help']

test('every command that uses the database is tried', (t) => {
  const tried = [...first, ...then].map(([command]) => command)
  const isTried = (path: string): boolean => tried.some((command) => `${command} `.startsWith(`${path} `))
  t.deepEqual(
    commandPaths.filter((path) => !isTried(path)),
    without,
  )
})

/** The table that names what is between braces, and the column that orders it. */
const named: Readonly<Record<string, readonly [table: string, order: string]>> = {
  webhook: ['webhooks', 'created_at'],
  key: ['api_keys', 'created_at'],
  run: ['import_runs', 'started_at'],
}

/** Tries commands; values for their braces are those that are given, the latest rows, and what the command before printed. */
const trying =
  (t: ExecutionContext, other: Other) =>
  async (environment: CliEnvironment, values: Json, commands: readonly Tried[]): Promise<Json> => {
    const { run } = await shell(t, environment)
    let latest: Json = {}
    for (const [command, expected, find, code = 0] of commands) {
      const known: Record<string, unknown> = { ...values, code: latest['confirmation_code'] }
      for (const [name, [table, order]] of Object.entries(named))
        if (command.includes(`{${name}}`))
          known[name] = ((await other(table).orderBy(order, 'desc').first()) as Json | undefined)?.['id']
      const line = command.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known[name]))
      const done = await run(`${line} --json`)
      t.is(done.code, code, `${line}: ${done.stderr}`)
      latest = JSON.parse(done.stdout) as Json
      t.deepEqual(await find(other, latest), expected, command)
    }
    return latest
  }

const writeAccounts = async (file: string, numbers: readonly string[], other: Json = {}): Promise<string> => {
  const accounts = numbers.map((number) => ({ ...gasAccount('S1', number), ...other }))
  await writeFile(file, accounts.map((account) => JSON.stringify(account)).join('\n'))
  return file
}

onGuarded(
  'each command has done what it says, and a bulk import creates every account, on a server set against the service',
  async (t, { url, administratorUrl }) => {
    const folder = await tempFolder(t)
    const environment = {
      DATABASE_URL: url,
      DATA_DIR: folder,
      TOKEN_SIGNING_KEY: secret(),
      AUDIT_KEY: secret(),
    }
    const [current, old] = [secret(), secret()]
    const other = connectSql(administratorUrl)
    t.teardown(() => other.destroy())
    const tryEach = trying(t, other)
    const apiKey = String((await tryEach(environment, {}, first))['api_key'])
    const { address } = await started(t, { ...environment, ENCRYPTION_KEYS: old })
    const client = createClient({ baseUrl: address, apiKey })
    const accounts = Array.from({ length: 61 }, (_, index) => gasAccount('S1', `A-${index}`))
    const outcomes: string[] = []
    for await (const { outcome } of client.bulkStage(accounts)) outcomes.push(outcome)
    const wanted = { import_supplier_code: 'S1', operations_team_name: 'North' }
    for await (const { outcome } of client.bulkProcess(wanted)) outcomes.push(outcome)
    t.deepEqual(outcomes, Array<string>(122).fill('done'))
    t.is((await other('account_imports').where({ state: 'created' })).length, 61)
    await mkdir(join(folder, 'documents'))
    const keyFile = join(folder, 'key')
    await writeFile(keyFile, apiKey)
    const values = {
      api: `--url ${address} --api-key-file ${keyFile}`,
      file: await writeAccounts(join(folder, 'file.ndjson'), ['B-1', 'B-2']),
      refused: await writeAccounts(join(folder, 'refused.ndjson'), ['X-1'], { customers: [] }),
      more: await writeAccounts(join(folder, 'more.ndjson'), ['C-1']),
    }
    await tryEach({ ...environment, ENCRYPTION_KEYS: `${current},${old}` }, values, then)
  },
)
